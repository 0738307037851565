/** Random numbers that are the same in every run (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('expected something to pick from');
    return item;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}

/** Bytes that parsers have stumbled over before. */
const nasty = [
  '\0',
  '\r',
  '\n',
  '\r\n\r\n',
  ':',
  ' ',
  '"',
  '\\',
  '{',
  '[',
  '\u001b[31m',
  '\u202e',
  '-1',
  '9'.repeat(30),
  '0x',
  '%00',
  'é',
];

/** Valid bytes with a few random changes: flipped, cut, doubled, swapped, or with nasty ones put in. */
export function mutate(valid: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(valid);
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const at = random.below(bytes.length + 1);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const some = 1 + random.below(8);
    const parts: Buffer[][] = [
      [before, Buffer.from(random.pick(nasty)), after],
      [before, random.bytes(some), after.subarray(some)],
      [before, after.subarray(some)],
      [before, after.subarray(0, some), after],
      [after, before],
      [before],
    ];
    // Cutting all of the rest is rare, or little would be left to look at.
    bytes = Buffer.concat(random.pick(random.below(5) === 0 ? parts : parts.slice(0, 4)));
  }
  return bytes;
}
