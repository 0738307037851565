import { expect, test } from 'vitest';
import { diagnose } from '../../../../../agent/diagnosis/diagnose.js';
import { maxRowNodes } from '../../../../../agent/model/row.js';
import { boundRow } from '../../../../../agent/peers/row/build-row.js';
import { clusterOf, n, type PathOf } from '../cluster.js';

const [size, dead] = [300, 120];
const isDead = (name: string) => Number(name.slice(n(0).length - 1)) > size - dead;

/** A third of the nodes is dead for some seconds. Each row but the own one names some of them and counts the others. */
const input = clusterOf(size, {
  says: ({ to }: PathOf) => (isDead(to) ? { state: 'unreachable', ageSeconds: 6 } : undefined),
  without: Array.from({ length: dead }, (_, at) => n(size - at)),
});
const rows = [...input.rows].map((observed) =>
  observed.row.observer === n(1) ? observed : { ...observed, row: boundRow(observed.row) },
);

test('dead nodes that other rows only count are told with those that they name', () => {
  expect(rows.filter(({ row }) => row.omittedNodes === dead - maxRowNodes)).toHaveLength(
    size - dead - 1,
  );
  const { findings, unexplained } = diagnose({ ...input, rows });
  expect(findings.map(({ kind, count }) => [kind, count])).toEqual([['node-down', dead]]);
  expect(unexplained).toBe(0);
});
