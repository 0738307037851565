/** Bad input: a flag, a file or an environment variable. One line for the user, exit code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** Where in its file the mistake stands, such as `nodes[3].host`; undefined where it has no place. */
  readonly place: string | undefined;

  constructor(message: string, place?: string) {
    super(message);
    this.place = place;
  }
}

/** The machine refuses what a sound configuration asks for: a taken port, a live socket. Exit code 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The text of a caught value, whatever it is. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's code of a caught value (`ENOENT`), or undefined where it has none. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
