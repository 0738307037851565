import {
  problemCodes,
  type ProblemCause,
  type ProblemCode,
  type Severity,
} from './problem-codes.js';

/** One thing that is wrong with the agent itself. */
export interface Problem {
  /** For programs: the code stays the same when the text changes. */
  readonly code: ProblemCode;
  readonly severity: Severity;
  readonly text: string;
}

interface Entry extends Problem {
  /** Monotonic milliseconds: a step of the system clock must not change when a problem ends. */
  readonly untilMs: number;
}

/** What is wrong with the agent itself, one line for each cause. */
export class Problems {
  readonly #byCause = new Map<ProblemCause, Entry>();

  /** Notes a problem until it is cleared. Returns true if it is new or has a new text. */
  set(cause: ProblemCause, text: string): boolean {
    const isNew = this.#current(cause)?.text !== text;
    this.#byCause.set(cause, { ...kindOf(cause), text, untilMs: Infinity });
    return isNew;
  }

  /** Notes a problem that ends by itself unless it is noted again. Returns true if it is new. */
  setFor(cause: ProblemCause, text: string, forMs: number): boolean {
    this.#dropEnded();
    const isNew = this.#current(cause) === undefined;
    const untilMs = performance.now() + forMs;
    this.#byCause.set(cause, { ...kindOf(cause), text, untilMs });
    return isNew;
  }

  /** Forgets a problem. Returns true if there was one. */
  clear(cause: ProblemCause): boolean {
    return this.#byCause.delete(cause);
  }

  /** The texts of all problems, the oldest cause first. */
  list(): string[] {
    return this.coded().map(({ text }) => text);
  }

  /** All problems with their codes, the oldest cause first. */
  coded(): Problem[] {
    this.#dropEnded();
    return Array.from(this.#byCause.values(), ({ code, severity, text }) => ({
      code,
      severity,
      text,
    }));
  }

  /** How many causes take memory. */
  get size(): number {
    return this.#byCause.size;
  }

  /** Causes may have names of nodes in them, and these come and go for as long as the agent runs. */
  #dropEnded(): void {
    const nowMs = performance.now();
    for (const [cause, { untilMs }] of this.#byCause) {
      if (untilMs <= nowMs) this.#byCause.delete(cause);
    }
  }

  #current(cause: ProblemCause): Entry | undefined {
    const entry = this.#byCause.get(cause);
    return entry && entry.untilMs > performance.now() ? entry : undefined;
  }
}

function kindOf(cause: ProblemCause): Pick<Problem, 'code' | 'severity'> {
  const code = cause.split(/[ :]/, 1)[0] as ProblemCode;
  return { code, severity: problemCodes[code].severity };
}
