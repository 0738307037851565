/** The exit codes beside 0. */
export const exitCodes = {
  unexpected: 1,
  usage: 2,
  noAgent: 3,
  /** The answer is not the desired one: a finding, a difference, or a wait that timed out. */
  different: 4,
  interrupted: 130,
} as const;

/** Thrown by a command that has done its work, to set the exit code. */
export type SetExitCode = (code: number) => void;
