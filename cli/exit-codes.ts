/** What the program says with its exit code beside 0. */
export const exitCodes = {
  unexpected: 1,
  usage: 2,
  noAgent: 3,
  /** An answer that is not the one hoped for: a finding, a difference, a wait that timed out. */
  different: 4,
  interrupted: 130,
} as const;

/** A command that has done its work says with it what came out. */
export type SetExitCode = (code: number) => void;
