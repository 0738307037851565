import {
  codes,
  leastPair,
  mostBytes,
  mostNumbers,
  type KeptValues,
  type NodeNumbers,
} from './kept-values.js';

/** What a peer sent is no row: it has something else than was expected, or more. */
export class MalformedRow extends Error {}

/** Newer agents may send this many items where fewer are known here, and numbers up to these. */
export const maxNewerItems = 16;
export const maxNewerNumber = 255;
const maxNewerValue = 3_600_000_000_000;
/** Ages are limited to a year, RTTs to an hour. */
export const maxAgeSeconds = 366 * 86_400;
export const maxRttNs = 3_600_000_000_000;

/** The bytes of the row that is read: those of an array are read several times as fast as characters. */
const bytesRead = Buffer.alloc(mostBytes);
let valuesRead: KeptValues | undefined;

/** The numbers of the list that is read. One for all: each section is read at a stretch. */
const numbersRead = new Float64Array(mostNumbers);

/**
 * Reads kept values one after the other, and checks each: it is the same when a row comes, and each time that it is read.
 *
 * @throws MalformedRow if a value is not what was asked for
 */
export class ValueReader {
  readonly #texts: readonly string[];
  readonly #numbers: NodeNumbers;
  readonly isNew: boolean;
  readonly #end: number;
  #at = 0;
  /** How many of `numbersRead` there are, and which is next. */
  #count = 0;
  #nextNumber = 0;

  /**
   * @param section the number of the section that is read
   * @param isNew whether it has just come. What is kept was checked before, so what takes time is not checked again
   */
  constructor(values: KeptValues, numbers: NodeNumbers, section: number, isNew = false) {
    this.isNew = isNew;
    this.#texts = values.texts;
    if (valuesRead !== values) bytesRead.write(values.bytes, 'latin1');
    valuesRead = values;
    this.#numbers = numbers;
    for (let left = section; left > 0; left--) this.#at += 2 + this.#uint(this.#at, 2);
    this.#end = this.#at + 2 + this.#uint(this.#at, 2);
    this.#at += 2;
  }

  /** Begins a list and returns how many items it has. They are read next. */
  list(least: number, most: number): number {
    const code = this.#code();
    let length = code - codes.firstList;
    this.#count = this.#nextNumber = 0;
    if (code > codes.firstNumbers) {
      length = code - codes.firstNumbers;
      this.#readNumbers(length);
    } else if (code === codes.longList) length = this.#next(2);
    if (length < least || length > most) throw expected(`a list of ${least} to ${most}`);
    return length;
  }

  /**
   * A list of numbers from -1, each of which is still to be checked. The array has as many as `least` at the least, and is
   * that of the next list too.
   */
  numbers(least: number, most: number): { readonly count: number; readonly values: Float64Array } {
    const count = this.list(least, most);
    if (this.#count !== count) throw expected('a list of numbers');
    this.#nextNumber = count;
    return { count, values: numbersRead };
  }

  /** A whole number from 0. */
  whole(most: number): number {
    const value = this.#number();
    // Not a number is not below anything.
    if (!(value >= 0 && value <= most)) throw expected(`a whole number up to ${most}`);
    return value;
  }

  /** A whole number from 0, or -1. */
  wholeOrNone(most: number): number {
    const value = this.#number();
    if (!(value <= most)) throw expected(`a whole number up to ${most} or -1`);
    return value;
  }

  bit(): boolean {
    return this.whole(1) === 1;
  }

  text(pattern: RegExp): string {
    const text = this.#text();
    if (text === undefined || (this.isNew && !pattern.test(text)))
      throw expected(`a text like ${pattern.source}`);
    return text;
  }

  /** The name of a node; undefined if it was listed once and is no more. */
  node(): string | undefined {
    const code = this.#nextNumber < this.#count ? NaN : byteAt(this.#at);
    // The names of listed nodes were checked when they were listed.
    if (code === codes.node || code === codes.laterNode) return this.#text();
    return this.text(namePattern);
  }

  /** One further number of a newer agent. */
  newerValue(): number {
    return this.whole(maxNewerValue);
  }

  /** The same of a number that was read. */
  mustBeNewer(value: number): void {
    if (!(value >= 0 && value <= maxNewerValue)) throw expected('a whole number');
  }

  /** Several of them. */
  newer(count: number, most = maxNewerValue): void {
    for (let left = count; left > 0; left--) this.whole(most);
  }

  /** No two of them may be the same. */
  mustBeUnique(keys: readonly unknown[]): void {
    if (this.isNew && new Set(keys).size !== keys.length) this.refuse('an item twice');
  }

  /** Says that what was read cannot be. */
  refuse(got: string): never {
    throw new MalformedRow(`expected a row, got ${got}`);
  }

  /** Skips a value if there is none. */
  skipAbsent(): boolean {
    if (byteAt(this.#at) !== codes.absent) return false;
    this.#at++;
    return true;
  }

  /** Skips values, whatever they are. */
  skip(count: number): void {
    for (let left = count; left > 0; left--) {
      if (this.#nextNumber < this.#count) {
        this.#nextNumber++;
        continue;
      }
      const code = this.#code();
      if (code > codes.firstNumbers) {
        this.#readNumbers(code - codes.firstNumbers);
        this.#nextNumber = this.#count;
      } else if (code >= codes.firstList) this.skip(code - codes.firstList);
      else if (code === codes.longList) this.skip(this.#next(2));
      else if (code >= codes.firstPair && code < codes.firstWide) this.#at++;
      else if (code >= codes.firstWide && code <= codes.lastWide)
        this.#at += code - codes.firstWide + 2;
      else if (code === codes.text) this.#at++;
      else if (code === codes.laterText || code === codes.node) this.#at += 2;
      else if (code === codes.laterNode) this.#at += 4;
    }
  }

  #number(): number {
    if (this.#nextNumber < this.#count) return numbersRead[this.#nextNumber++] ?? NaN;
    const code = this.#code();
    return code < codes.firstPair ? code : this.#larger(code);
  }

  #readNumbers(count: number): void {
    let half = 2 * this.#at;
    for (let at = 0; at < count; at++) {
      let value = 0;
      let shift = 0;
      let bits = 8;
      for (; bits >= 8; shift += 3) {
        const code = byteAt(half >> 1);
        bits = (half++ & 1) === 0 ? code >> 4 : code & 15;
        // Shifting is quicker, and right up to 30 bits.
        if (shift < 30) value |= (bits & 7) << shift;
        else value += (bits & 7) * 2 ** shift;
      }
      numbersRead[at] = value - 1;
    }
    this.#at = (half + 1) >> 1;
    this.#count = count;
    this.#nextNumber = 0;
  }

  #larger(code: number): number {
    if (code === codes.none) return -1;
    if (code < codes.firstWide) return ((code - codes.firstPair) << 8) + this.#next(1) + leastPair;
    if (code <= codes.lastWide) return this.#next(code - codes.firstWide + 2);
    return NaN;
  }

  #text(): string | undefined {
    const code = this.#code();
    switch (code) {
      case codes.text:
        return this.#texts[this.#next(1)];
      case codes.laterText:
        return this.#texts[this.#next(2)];
      case codes.node:
        return this.#numbers.nodeOfNumber(this.#next(2));
      case codes.laterNode:
        return this.#numbers.nodeOfNumber(this.#next(4));
      default:
        return undefined;
    }
  }

  #code(): number {
    // Numbers are left where something else was expected.
    if (this.#at >= this.#end || this.#nextNumber < this.#count) throw expected('a value');
    return byteAt(this.#at++);
  }

  #next(bytes: number): number {
    this.#at += bytes;
    return this.#uint(this.#at - bytes, bytes);
  }

  #uint(from: number, bytes: number): number {
    let value = 0;
    for (let at = from; at < from + bytes; at++) value = value * 256 + byteAt(at);
    return value;
  }
}

function byteAt(at: number): number {
  return bytesRead[at] ?? NaN;
}

const namePattern = /^[A-Za-z0-9_.-]{1,253}\/[A-Za-z0-9_.-]{1,253}$/;

function expected(what: string): MalformedRow {
  return new MalformedRow(`expected ${what}`);
}
