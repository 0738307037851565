/** A seeded generator: every run gets the same numbers. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    // Numerical Recipes' linear congruential generator.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Random = ReturnType<typeof createRandom>;

/** Changes, removes, duplicates or truncates some of the bytes. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const at = random(bytes.length);
  const length = 1 + random(16);
  switch (random(4)) {
    case 0: {
      const changed = Buffer.from(bytes);
      changed[at] = random(256);
      return changed;
    }
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
    default:
      return bytes.subarray(0, at);
  }
}

const oddities: readonly unknown[] = [
  null,
  0,
  -1e308,
  true,
  '',
  'x'.repeat(10_000),
  '\u0000\u001b[2J',
  '::ffff:1.2.3.4',
  'fe80::1%eth0',
  [],
  [null],
  [[[]]],
  {},
  { toString: 1, length: -1 },
  Array.from({ length: 2000 }, () => ({ type: 'InternalIP', address: '198.51.100.7' })),
];

/** Replaces one part of the value, at any depth, by something odd. */
export function mutateValue(value: unknown, random: Random): unknown {
  const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isLeaf || random(6) === 0) return oddities[random(oddities.length)];
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...(value as unknown[])]
    : { ...value };
  const keys = Object.keys(copy);
  const key = keys[random(keys.length)] ?? '';
  const parts = copy as Record<string, unknown>;
  parts[key] = mutateValue(parts[key], random);
  return copy;
}
