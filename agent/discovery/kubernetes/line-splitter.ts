import { InvalidResponseError } from './kubernetes-api-error.js';

const newline = 0x0a;

/** Cuts a stream of bytes into lines; a line may be of any chunks, but not of any length. */
export class LineSplitter {
  readonly #maxBytes: number;
  #rest: Buffer[] = [];
  #restBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * The lines that end in this chunk.
   * @throws MalformedAnswer where a line is too long
   */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#keep(chunk.subarray(from, end));
      lines.push(Buffer.concat(this.#rest).toString());
      this.#rest = [];
      this.#restBytes = 0;
      from = end + 1;
    }
    // A copy, so that the whole chunk is not kept for its last bytes.
    if (from < chunk.length) this.#keep(Buffer.from(chunk.subarray(from)));
    return lines;
  }

  /** Whether the stream ended within a line. */
  get isWithinLine(): boolean {
    return this.#restBytes > 0;
  }

  #keep(part: Buffer): void {
    this.#restBytes += part.length;
    if (this.#restBytes > this.#maxBytes) {
      throw new InvalidResponseError(
        `expected events of at most ${this.#maxBytes} bytes, got more`,
      );
    }
    this.#rest.push(part);
  }
}
