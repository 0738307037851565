/** `error`: a part of the agent's work is not done. `warning`: it is done, and someone should look. */
export type Severity = 'error' | 'warning';

/** One thing that the agent knows to be wrong with itself. */
export interface Problem {
  /** For programs: it stays the same while the text changes. */
  readonly code: string;
  readonly severity: Severity;
  readonly text: string;
}

interface Entry extends Problem {
  /** Monotonic milliseconds, so that a step of the system clock neither keeps it nor ends it. */
  readonly untilMs: number;
}

/**
 * What the agent knows to be wrong with itself, one line for each cause. A cause is a code, or a code and
 * what it concerns: `not-sent` or `not-sent:icmp` or `node-source main`.
 */
export class Problems {
  readonly #byCause = new Map<string, Entry>();

  /** Notes a problem until it is cleared; true where it was not there yet with these words. */
  set(cause: string, text: string, severity: Severity = 'warning'): boolean {
    const isNew = this.#current(cause)?.text !== text;
    this.#byCause.set(cause, { code: codeOf(cause), severity, text, untilMs: Infinity });
    return isNew;
  }

  /** Notes a problem that passes by itself unless it is noted again; true where it was not there. */
  setFor(cause: string, text: string, forMs: number, severity: Severity = 'warning'): boolean {
    const isNew = this.#current(cause) === undefined;
    const untilMs = performance.now() + forMs;
    this.#byCause.set(cause, { code: codeOf(cause), severity, text, untilMs });
    return isNew;
  }

  /** Forgets a problem; true where it was there. */
  clear(cause: string): boolean {
    return this.#byCause.delete(cause);
  }

  /** The texts of all problems, the oldest cause first. */
  list(): string[] {
    return this.coded().map(({ text }) => text);
  }

  /** All problems with their codes, the oldest cause first. */
  coded(): Problem[] {
    return [...this.#byCause.keys()].flatMap((cause) => {
      const entry = this.#current(cause);
      return entry ? [{ code: entry.code, severity: entry.severity, text: entry.text }] : [];
    });
  }

  #current(cause: string): Entry | undefined {
    const entry = this.#byCause.get(cause);
    return entry && entry.untilMs > performance.now() ? entry : undefined;
  }
}

function codeOf(cause: string): string {
  return cause.split(/[ :]/, 1)[0] ?? cause;
}
