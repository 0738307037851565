import { describe, expect, test } from 'vitest';
import { chooseRows, mostPartialRows } from '../../../../../agent/diagnosis/evidence/row-choice.js';
import { indexCluster } from '../../../../../agent/diagnosis/nouns/cluster-index.js';
import type { ObservedRow } from '../../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { nameHash } from '../../../../../agent/model/name-hash.js';
import { makeRow } from '../../../../rows/make-row.js';
import { makeNodes, n } from '../cluster.js';

const size = mostPartialRows + 100;
const index = indexCluster(makeNodes(size));
const numbers = Array.from({ length: size }, (_, at) => at + 1);

function rowOf(node: number, isPartial: boolean, more: Partial<ObservedRow> = {}): ObservedRow {
  const row = makeRow(n(node), [], size, { omittedNodes: isPartial ? 5 : 0 });
  return { row, ageMs: 0, bodyAgeMs: 0, freshness: 'fresh', ...more };
}

/** The same row of an observer whose echoes reach ten nodes. */
function missing450(observed: ObservedRow): ObservedRow {
  const { counts } = observed.row;
  const icmp = { reachable: 10, unreachable: 450, unknown: 0, degraded: 0 };
  const host = { ...counts.host, icmp };
  return { ...observed, row: { ...observed.row, omittedNodes: 386, counts: { ...counts, host } } };
}

const choose = (rows: readonly ObservedRow[], localName = n(1)) =>
  chooseRows(rows, { index, localName });
const namesOf = (rows: readonly ObservedRow[]) => rows.map(({ row }) => row.observer);
/** The highest first. */
const byHash = [...numbers].sort((a, b) => nameHash(n(b)) - nameHash(n(a)));

describe('rows that leave nodes out', () => {
  test('are all read while they are few, whatever the hashes of their observers', () => {
    const few = new Set(byHash.slice(0, mostPartialRows));
    const rows = numbers.map((node) => rowOf(node, few.has(node)));
    expect(choose(rows)).toEqual(rows);
  });

  test('are those of the lowest hashes where there are more, beside all that leave none out', () => {
    const [whole = 0, ...partial] = byHash;
    const rows = numbers.map((node) => rowOf(node, node !== whole));
    const read = new Set(namesOf(choose(rows, n(whole))));
    expect(read.size).toBe(mostPartialRows + 1);
    expect(read.has(n(whole))).toBe(true);
    for (const node of partial.slice(-mostPartialRows)) expect(read.has(n(node))).toBe(true);
  });

  test('are half of observers that miss most of the others, if so many do', () => {
    const missing = byHash.slice(0, mostPartialRows / 2 + 20);
    const rows = numbers.map((node) => rowOf(node, true));
    for (const node of missing) rows[node - 1] = missing450(rowOf(node, true));
    const read = namesOf(choose(rows, 'c/none'));
    expect(read).toHaveLength(mostPartialRows);
    expect(read).toEqual(expect.arrayContaining(missing.slice(20).map(n)));
  });

  test('are read of every observer that misses most of the others, while these are few', () => {
    const [lone = 0] = byHash;
    const rows = numbers.map((node) => rowOf(node, true));
    rows[lone - 1] = missing450(rowOf(lone, true));
    expect(namesOf(choose(rows, 'c/none'))).toContain(n(lone));
  });

  test('are read whatever their hash if they are stale, or of this agent', () => {
    const [own = 0, stale = 0] = byHash;
    const rows = numbers.map((node) =>
      rowOf(node, true, { freshness: node === stale ? 'stale' : 'fresh' }),
    );
    const read = namesOf(choose(rows, n(own)));
    expect(read).toEqual(expect.arrayContaining([n(own), n(stale)]));
    expect(read).toHaveLength(mostPartialRows + 2);
  });

  test('are the same ones if it is chosen among the chosen ones', () => {
    const chosen = choose(numbers.map((node) => rowOf(node, true)));
    expect(choose(chosen)).toEqual(chosen);
  });
});
