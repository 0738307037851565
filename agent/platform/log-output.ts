import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { codeOf } from './errors.js';

/** What waits for a reader that does not read, in characters; more is lost. */
const maxWaiting = 1024 * 1024;
const retryMs = 100;

/**
 * Writes lines where the log goes, and lets nothing that happens there reach the agent: a full disk
 * and a closed pipe cost the lines, a reader that does not read costs them once too many wait. When
 * lines come through again, it says how many were lost.
 */
export class LogOutput {
  readonly #fd: number;
  readonly #onLost: (lines: number) => void;
  #waiting = Buffer.alloc(0);
  #lost = 0;
  #retry: NodeJS.Timeout | undefined;

  constructor(fd: number, onLost: (lines: number) => void) {
    this.#fd = withoutWaiting(fd);
    this.#onLost = onLost;
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
        this.#waiting = this.#waiting.subarray(writeSync(this.#fd, this.#waiting));
      }
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') {
        this.#retry = setTimeout(() => this.#writeOut(), retryMs).unref();
        return;
      }
      // Half a line would spoil the next one, so all of it goes.
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

/**
 * A pipe opened anew, so that a full one is an error and not a wait. The mode of the one that was
 * given is shared with other processes and not to be changed. Anything else is taken as it is.
 */
function withoutWaiting(fd: number): number {
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}
