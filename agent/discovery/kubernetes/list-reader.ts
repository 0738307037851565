import { messageOf } from '../../platform/errors.js';
import { InvalidResponseError } from './kubernetes-api-error.js';

const [quoteMark, backslash, comma, open, close, openList, closeList] = [
  0x22, 0x5c, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d,
];
const maxItemBytes = 16 << 20;
const maxSkeletonBytes = 1 << 20;

/** The metadata of a page of a list. */
export interface ListMetadata {
  readonly resourceVersion: string;
  readonly continueToken: string;
}

/**
 * Reads a Kubernetes list as its bytes arrive and parses its items one by one. So neither a large
 * page nor a server that ignores `limit` blocks the event loop or fills the heap.
 */
export class ListReader {
  readonly #onItem: (item: unknown) => void;
  /** Everything outside of the items. */
  #skeleton: Buffer[] = [];
  #skeletonBytes = 0;
  #item: Buffer[] = [];
  #itemBytes = 0;
  #depth = 0;
  #isInItems = false;
  #isInText = false;
  #isEscaped = false;

  constructor(onItem: (item: unknown) => void) {
    this.#onItem = onItem;
  }

  /** @throws MalformedAnswer where this cannot be a list */
  push(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quoteMark) this.#isInText = false;
      } else if (byte === quoteMark) {
        if (this.#isBetweenItems()) refuse();
        this.#isInText = true;
      } else if (byte === open || byte === openList) {
        const isBetween = this.#isBetweenItems();
        if (isBetween && byte === openList) refuse();
        this.#depth++;
        if (isBetween) from = at;
        else if (byte === openList && this.#depth === 2 && !this.#isInItems) {
          this.#keep(chunk.subarray(from, at + 1));
          from = at + 1;
          this.#isInItems = /"items"\s*:\s*\[$/.test(this.#skeletonTail());
        }
      } else if (byte === close || byte === closeList) {
        this.#depth--;
        if (this.#isInItems && this.#depth === 2) {
          this.#keepItem(chunk.subarray(from, at + 1));
          this.#emit();
          from = at + 1;
        } else if (this.#isInItems && this.#depth < 2) {
          this.#isInItems = false;
          from = at;
        }
      } else if (byte === comma && this.#isBetweenItems()) {
        from = at + 1;
      } else if (byte !== undefined && byte > 0x20 && this.#isBetweenItems()) {
        refuse();
      }
    }
    const rest = chunk.subarray(from);
    if (this.#isInItems && this.#depth > 2) this.#keepItem(Buffer.from(rest));
    else if (!this.#isInItems) this.#keep(Buffer.from(rest));
  }

  /** @throws MalformedAnswer where the list is not whole or has no resource version */
  end(): ListMetadata {
    const { metadata, items } = parse(this.#skeleton) as { metadata?: unknown; items?: unknown };
    const { resourceVersion, continue: continueToken = '' } = (metadata ?? {}) as {
      resourceVersion?: unknown;
      continue?: unknown;
    };
    if (items !== null && !Array.isArray(items)) refuse();
    if (typeof resourceVersion !== 'string' || typeof continueToken !== 'string') refuse();
    return { resourceVersion, continueToken };
  }

  #isBetweenItems(): boolean {
    return this.#isInItems && this.#depth === 2;
  }

  #keep(part: Buffer): void {
    this.#skeletonBytes += part.length;
    if (this.#skeletonBytes > maxSkeletonBytes) refuse();
    this.#skeleton.push(part);
  }

  #skeletonTail(): string {
    return Buffer.concat(this.#skeleton.slice(-16)).subarray(-64).toString();
  }

  #keepItem(part: Buffer): void {
    this.#itemBytes += part.length;
    if (this.#itemBytes > maxItemBytes) refuse();
    this.#item.push(part);
  }

  #emit(): void {
    const item = parse(this.#item);
    this.#item = [];
    this.#itemBytes = 0;
    this.#onItem(item);
  }
}

function parse(parts: readonly Buffer[]): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString());
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    throw new InvalidResponseError(`expected a list in JSON: ${messageOf(error).slice(0, 200)}`);
  }
  return refuse();
}

function refuse(): never {
  throw new InvalidResponseError('expected a Kubernetes list in JSON, got something else');
}
