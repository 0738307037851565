/** The exit codes other than 0. */
export const exitCodes = {
  unexpected: 1,
  usage: 2,
  noAgent: 3,
  /** The result is not the desired one: a finding, a difference for the worse, or a wait that timed out. */
  notWell: 4,
  interrupted: 130,
} as const;

/** Called by a command that has done its work with a result that is not the desired one. */
export type SetExitCode = (code: number) => void;
