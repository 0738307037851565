import { describe, expect, test } from 'vitest';
import { chooseTwoFaults } from '../../lab/lib/two-faults.js';
import { Random } from '../../fuzz/random.js';

const zones = ['a', 'b', 'c'];
const hosts = Array.from({ length: 12 }, (_, at) => ({ name: `n${at + 1}`, zone: zones[at % 3] }));
const zoneOf = (name: string) => hosts.find((host) => host.name === name)?.zone ?? '';
const choose = (seed: number) => chooseTwoFaults(hosts, new Random(seed));

describe('two faults that are chosen by seed', () => {
  const rounds = Array.from({ length: 2000 }, (_, seed) => choose(seed + 1));
  const expected = rounds.map(([one, other]) => [one.expected, other.expected] as const);

  test('are the same for the same seed', () => {
    const whats = (seed: number) => choose(seed).map(({ what }) => what);
    expect(whats(7)).toEqual(whats(7));
    expect(new Set(rounds.map(([{ what }]) => what)).size).toBeGreaterThan(100);
  });

  test('are of different hosts, and at most one cuts zones', () => {
    for (const faults of expected) {
      const names = faults.flatMap(({ node, pair }) => [...(pair ?? []), ...(node ? [node] : [])]);
      expect(new Set(names).size).toBe(names.length);
      expect(faults.filter((one) => one.zones).length).toBeLessThanOrEqual(1);
    }
  });

  test('are of every kind, each with every other one', () => {
    const kinds = new Set(
      rounds.flat().map(({ what }) => what.replaceAll(/\bn\d+\b|zone-?\w*/g, '')),
    );
    // "A and B are cut from each other" has the names of three pairs of zones.
    expect(kinds.size).toBe(9 + 1 + 3);
  });

  test('hide no pair from a whole zone', () => {
    let pairs = 0;
    for (const [one, other] of expected) {
      const [cut, pair] = one.zones ? [one.zones, other.pair] : [other.zones, one.pair];
      if (!cut || !pair) continue;
      pairs++;
      expect(pair.some((name) => !cut.includes(zoneOf(name)))).toBe(true);
    }
    expect(pairs).toBeGreaterThan(10);
  });
});
