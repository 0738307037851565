/**
 * `error`: a part of the agent's work is not done. `warning`: the work is done, and someone should
 * look.
 */
export type Severity = 'error' | 'warning';

/** One thing that is wrong with the agent itself. */
export interface Problem {
  /** For programs: the code stays the same when the text changes. */
  readonly code: string;
  readonly severity: Severity;
  readonly text: string;
}

interface Entry extends Problem {
  /** Monotonic milliseconds: a step of the system clock must not change when a problem ends. */
  readonly untilMs: number;
}

/**
 * What is wrong with the agent itself, one line for each cause. A cause is a code, or a code and
 * what it concerns: `not-sent`, `not-sent:icmp` or `node-source main`.
 */
export class Problems {
  readonly #byCause = new Map<string, Entry>();

  /** Notes a problem until it is cleared. Returns true if it is new or has a new text. */
  set(cause: string, text: string, severity: Severity = 'warning'): boolean {
    const isNew = this.#current(cause)?.text !== text;
    this.#byCause.set(cause, { code: codeOf(cause), severity, text, untilMs: Infinity });
    return isNew;
  }

  /** Notes a problem that ends by itself unless it is noted again. Returns true if it is new. */
  setFor(cause: string, text: string, forMs: number, severity: Severity = 'warning'): boolean {
    const isNew = this.#current(cause) === undefined;
    const untilMs = performance.now() + forMs;
    this.#byCause.set(cause, { code: codeOf(cause), severity, text, untilMs });
    return isNew;
  }

  /** Forgets a problem. Returns true if there was one. */
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
