import { expect, test } from 'vitest';
import { diagnose } from '../../../../../agent/diagnosis/diagnose.js';
import { maxRowNodes } from '../../../../../agent/model/row.js';
import { boundRow } from '../../../../../agent/peers/row/build-row.js';
import { nameHash } from '../../../../../agent/model/name-hash.js';
import { clusterOf, n, namesOf, type PathOf } from '../cluster.js';

const [size, dead] = [300, 120];
const isDead = (name: string) => Number(name.slice(n(0).length - 1)) > size - dead;

/**
 * A third of the nodes is dead for some seconds. Each row but the own one names some of them and counts the others.
 * @param more says what else fails
 */
function outage(more: (path: PathOf) => boolean = () => false) {
  const input = clusterOf(size, {
    says: (path) =>
      isDead(path.to) || more(path) ? { state: 'unreachable', ageSeconds: 6 } : undefined,
    without: Array.from({ length: dead }, (_, at) => n(size - at)),
  });
  const rows = [...input.rows].map((observed) =>
    observed.row.observer === n(1) ? observed : { ...observed, row: boundRow(observed.row) },
  );
  return { rows, output: diagnose({ ...input, rows }) };
}

test('dead nodes that other rows only count are told with those that they name', () => {
  const { rows, output } = outage();
  expect(rows.filter(({ row }) => row.omittedNodes === dead - maxRowNodes)).toHaveLength(
    size - dead - 1,
  );
  const { findings, unexplained } = output;
  expect(findings.map(({ kind, count }) => [kind, count])).toEqual([['node-down', dead]]);
  expect(unexplained).toBe(0);
});

test('one that lives, and that this agent alone does not reach, is not among those that the others count', () => {
  const living = namesOf(size - dead);
  const lone = living.reduce((a, b) => (nameHash(a) > nameHash(b) ? a : b));
  const { findings, unexplained } = outage(({ from, to }) => from === n(1) && to === lone).output;
  expect(findings.map(({ kind, count }) => [kind, count])).toEqual([['node-down', dead]]);
  expect(unexplained).toBe(4);
});
