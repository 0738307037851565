import { describe, expect, test } from 'vitest';
import { decodeRow, encodeRow, maxRowBytes } from '../../../../agent/exchange/row-codec.js';
import { packRow, unpackRow, type RowNames } from '../../../../agent/exchange/packed-row.js';
import { nameHash } from '../../../../agent/model/name-hash.js';
import { Random } from '../../../fuzz/random.js';
import { randomRow, wellRow } from './lib/rows.js';
import { wireRowSchema } from './lib/wire-schema.js';

const names = (count: number, length = 4): string[] =>
  Array.from({ length: count }, (_, i) => `c/${'n'.repeat(length)}${i}`);

function namesOf(nodes: readonly string[]): RowNames {
  const texts = [''];
  return {
    numberOfNode: (name) => (nodes.includes(name) ? nodes.indexOf(name) : undefined),
    nodeOfNumber: (number) => nodes[number],
    numberOfText: (text) => (texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1),
    textOfNumber: (number) => texts[number] ?? '',
  };
}

describe('a row', () => {
  test('is the same after it has travelled', () => {
    const random = new Random(1);
    for (let count = 0; count <= 64; count += 8) {
      const row = randomRow(random, names(count));
      const parsed: unknown = JSON.parse(encodeRow(row));
      expect(decodeRow(row.observer, parsed)).toEqual(row);
      expect(wireRowSchema.safeParse(parsed).success).toBe(true);
    }
  });

  test('takes less than a kilobyte if all is well in three zones', () => {
    const { zones } = randomRow(new Random(1), []);
    expect(encodeRow({ ...wellRow(), zones }).length).toBeLessThan(1024);
  });

  test('is at most 8 KB however long the names are, and counts the nodes that it leaves out', () => {
    const nodes = names(64, 240).sort((a, b) => nameHash(a) - nameHash(b));
    const row = randomRow(new Random(2), nodes);
    const text = encodeRow(row);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxRowBytes);
    const read = decodeRow(row.observer, JSON.parse(text));
    const told = new Set(read?.paths.map(({ node }) => node));
    expect(told.size).toBeGreaterThan(10);
    // A row keeps the nodes with the lowest hashes, so it reports all paths of a node or none.
    expect([...told]).toEqual(nodes.slice(0, told.size));
    expect(read?.omittedNodes).toBe(row.omittedNodes + nodes.length - told.size);
  });

  test('is the same after it was packed, and takes 1,500 bytes of memory in the worst outage', () => {
    const nodes = names(64, 240);
    const random = new Random(3);
    for (let turn = 0; turn < 20; turn++) {
      const row = randomRow(random, nodes.slice(0, random.below(65)));
      const lookup = namesOf(nodes);
      const packed = packRow(row, lookup);
      expect(unpackRow(row.observer, packed, lookup)).toEqual(row);
      expect(packed.byteLength).toBeLessThan(1600);
    }
  });

  test('forgets nodes that are listed no more', () => {
    const nodes = names(4);
    const row = randomRow(new Random(4), nodes);
    const packed = packRow(row, namesOf(nodes));
    const left = unpackRow(row.observer, packed, namesOf(nodes.slice(0, 2)));
    expect(new Set(left.paths.map(({ node }) => node))).toEqual(new Set(nodes.slice(0, 2)));
  });
});
