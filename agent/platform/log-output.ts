import { codeOf } from './errors.js';
import { writeWithoutWaiting, type Write } from './write-without-waiting.js';

/** At most so many characters wait for a slow reader; more is lost. */
const maxWaiting = 1024 * 1024;
const retryMs = 100;

/**
 * Writes lines to where the log goes. No failure there reaches the agent: a full disk or a closed
 * pipe costs the lines, and a slow reader costs lines once too many wait. When lines get through
 * again, it says how many were lost.
 */
export class LogOutput {
  readonly #write: Write;
  readonly #onLost: (lines: number) => void;
  #waiting = Buffer.alloc(0);
  #lost = 0;
  #retry: NodeJS.Timeout | undefined;

  private constructor(write: Write, onLost: (lines: number) => void) {
    this.#write = write;
    this.#onLost = onLost;
  }

  /** Lines for an open descriptor, and a function that is told how many were lost. */
  static async open(fd: number, onLost: (lines: number) => void): Promise<LogOutput> {
    return new LogOutput(await writeWithoutWaiting(fd), onLost);
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#waiting.length + bytes.length > maxWaiting) this.#lost++;
    else this.#waiting = Buffer.concat([this.#waiting, bytes]);
    this.#writeOut();
  }

  #writeOut(): void {
    clearTimeout(this.#retry);
    try {
      while (this.#waiting.length > 0) {
        this.#waiting = this.#waiting.subarray(this.#write(this.#waiting));
      }
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') {
        this.#retry = setTimeout(() => this.#writeOut(), retryMs).unref();
        return;
      }
      // Half a line would spoil the next line, so the whole line is lost.
      this.#lost += this.#waiting.toString('latin1').split('\n').length - 1;
      this.#waiting = Buffer.alloc(0);
      return;
    }
    if (this.#lost === 0) return;
    const lost = this.#lost;
    this.#lost = 0;
    this.#onLost(lost);
  }
}
