/** The exit codes of `meshprobe-agent`, `check` and `responder` other than 0. */
export const exitCodes = {
  /** It could not start, a part of it failed, or what `check` asked for is not well. */
  failed: 1,
  /** A bad flag, file or variable. */
  usage: 2,
} as const;
