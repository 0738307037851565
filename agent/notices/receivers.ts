import { messageOf } from '../platform/errors.js';
import { followFile } from '../platform/followed-file.js';
import { readNotifyFile } from './definition/notify-file.js';
import type { Receiver } from './definition/receiver.js';

export interface ReceiversOptions {
  /** The path of the notify file. */
  readonly path: string;
  /** Called when the file breaks, breaks in another way, and, with undefined, when it is good again. */
  readonly onProblem: (reason: string | undefined) => void;
}

/** Who is told of findings, as the notify file says now. A bad change leaves the last good receivers. */
export class Receivers {
  readonly #options: ReceiversOptions;
  readonly #read: () => Promise<Receiver[]>;
  #current: readonly Receiver[] = [];
  #problem: string | undefined;

  constructor(options: ReceiversOptions) {
    this.#options = options;
    this.#read = followFile('notify-file', options.path, readNotifyFile);
  }

  /** Those that were read last. */
  get current(): readonly Receiver[] {
    return this.#current;
  }

  /** Reads the file if it has changed. */
  async read(): Promise<readonly Receiver[]> {
    try {
      this.#current = await this.#read();
      this.#note(undefined);
    } catch (error) {
      this.#note(messageOf(error).replace(/^notify-file: /, ''));
    }
    return this.#current;
  }

  #note(problem: string | undefined): void {
    if (problem !== this.#problem) this.#options.onProblem(problem);
    this.#problem = problem;
  }
}
