/**
 * JSON in few bytes, as the characters of a string: thousands of rows are kept, and a string has 16 bytes beside its
 * content, an array of bytes some 200. Whole numbers take one byte to eight, those in a list of numbers half a byte for each
 * three bits, the name of a listed node three bytes, any other text two that say which it is of the texts beside it: most
 * rows have the same ones.
 */
export interface KeptValues {
  readonly bytes: string;
  readonly texts: readonly string[];
}

/** Gives listed nodes numbers that no other node is ever given. */
export interface NodeNumbers {
  readonly numberOfNode: (name: string) => number | undefined;
  /** Undefined where the node is listed no more. */
  readonly nodeOfNumber: (number: number) => string | undefined;
}

/** What the first byte of a value says. Numbers below `firstPair` are said by it alone. */
export const codes = {
  /** A number with one byte more: 32 of these, 256 numbers each. */
  firstPair: 0xa0,
  /** A number of two bytes; the next codes are of three to seven. */
  firstWide: 0xc0,
  lastWide: 0xc5,
  none: 0xc6,
  text: 0xc7,
  laterText: 0xc8,
  node: 0xc9,
  laterNode: 0xca,
  /** Nothing that rows have: a fraction, an object, null. */
  other: 0xcb,
  absent: 0xcc,
  longList: 0xcd,
  /** A list of so many values, then one of so many numbers from -1. */
  firstList: 0xd0,
  firstNumbers: 0xe0,
} as const;

/** The least number that takes one byte more than its code, and the least that takes two. */
export const [leastPair, leastWide] = [codes.firstPair, codes.firstPair + 32 * 256];

/** A list of numbers has at most so many. */
export const mostNumbers = 0xff - codes.firstNumbers;

const [mostShort, mostInByte] = [0xffff, 0xff];
/** A row of 8 KB takes less, whatever is in it. */
export const mostBytes = 32 * 1024;
const mostDepth = 8;
const mostTextLength = 512;

/** One for all: what is written is copied at once. */
const scratch = Buffer.allocUnsafe(mostBytes);

/** Writes JSON values one after the other, in sections. */
export class ValueWriter {
  readonly #numbers: NodeNumbers;
  readonly #texts = new Map<string, number>();
  #at = 0;
  #hasNames = false;

  constructor(numbers: NodeNumbers) {
    this.#numbers = numbers;
  }

  /**
   * Writes values, and before them how many bytes they take.
   *
   * @param names whether texts in it may be names of nodes
   */
  section(values: readonly unknown[], names = false): void {
    const start = this.#at;
    this.#hasNames = names;
    this.#at += 2;
    for (const value of values) this.#write(value, 0);
    const length = this.#at - start - 2;
    if (this.#at <= mostBytes) scratch.writeUInt16BE(length, start);
  }

  /** What was written; undefined if it is too much. */
  finish(): KeptValues | undefined {
    if (this.#at > mostBytes) return undefined;
    return { bytes: scratch.toString('latin1', 0, this.#at), texts: [...this.#texts.keys()] };
  }

  #write(value: unknown, depth: number): void {
    if (typeof value === 'number') this.#number(value);
    else if (typeof value === 'string') this.#text(value);
    else if (Array.isArray(value) && value.length <= mostShort && depth < mostDepth)
      this.#list(value, depth);
    else this.#put(value === undefined ? codes.absent : codes.other, 1);
  }

  #number(value: number): void {
    if (value === -1) this.#put(codes.none, 1);
    else if (!Number.isSafeInteger(value) || value < 0) this.#put(codes.other, 1);
    else if (value < leastPair) this.#put(value, 1);
    else if (value < leastWide) this.#put((codes.firstPair << 8) + value - leastPair, 2);
    else {
      let bytes = 2;
      while (value >= 256 ** bytes) bytes++;
      this.#put(codes.firstWide + bytes - 2, 1);
      this.#put(value, bytes);
    }
  }

  #text(value: string): void {
    const number = this.#hasNames ? this.#numbers.numberOfNode(value) : undefined;
    if (number !== undefined) {
      const isFirst = number <= mostShort;
      this.#put(isFirst ? codes.node : codes.laterNode, 1);
      this.#put(number, isFirst ? 2 : 4);
      return;
    }
    if (value.length > mostTextLength) {
      this.#put(codes.other, 1);
      return;
    }
    const at = this.#texts.get(value) ?? this.#texts.size;
    this.#texts.set(value, at);
    const isFirst = at <= mostInByte;
    this.#put(isFirst ? codes.text : codes.laterText, 1);
    this.#put(at, isFirst ? 1 : 2);
  }

  #list(items: readonly unknown[], depth: number): void {
    if (items.length > 0 && items.length <= mostNumbers && items.every(isFromNone)) {
      this.#listOfNumbers(items);
      return;
    }
    if (items.length < codes.firstNumbers - codes.firstList)
      this.#put(codes.firstList + items.length, 1);
    else {
      this.#put(codes.longList, 1);
      this.#put(items.length, 2);
    }
    for (const item of items) {
      if (this.#at > mostBytes) return;
      this.#write(item, depth + 1);
    }
  }

  /** Three bits in each half of a byte, the lowest first, and one that says whether more follow. */
  #listOfNumbers(numbers: readonly number[]): void {
    this.#put(codes.firstNumbers + numbers.length, 1);
    let [half, isLow] = [0, false];
    const add = (value: number): void => {
      if (isLow) this.#put(half + value, 1);
      else half = value << 4;
      isLow = !isLow;
    };
    for (const number of numbers) {
      let left = number + 1;
      for (; left >= 8; left = Math.floor(left / 8)) add(8 + (left % 8));
      add(left);
    }
    if (isLow) this.#put(half, 1);
  }

  /** Puts a number into so many bytes, the highest first. What has no room is counted alone. */
  #put(value: number, bytes: number): void {
    const end = this.#at + bytes;
    if (end <= mostBytes) {
      let left = value;
      for (let at = end - 1; at >= this.#at; at--) {
        scratch[at] = left % 256;
        left = Math.floor(left / 256);
      }
    }
    this.#at = end;
  }
}

function isFromNone(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= -1;
}
