import { expect, test } from 'vitest';
import { TargetLooksList } from '../../../../../agent/diagnosis/evidence/target-looks.js';
import { finished } from '../../../../../agent/diagnosis/nouns/steps.js';
import { maxTargets, type RowTarget } from '../../../../../agent/model/target.js';
import { makeRow } from '../../../../rows/make-row.js';
import { n } from '../cluster.js';

const failing: RowTarget = {
  target: 'a',
  digest: 1,
  plane: 'host',
  state: 'unreachable',
  ageSeconds: 9,
  probedSeconds: 2,
  failure: 'timeout',
};

/** The looks that the row of each node tells, one list after the other. */
function troubled(...rows: readonly (readonly RowTarget[])[]) {
  const list = new TargetLooksList(rows.length);
  for (const [node, targets] of rows.entries())
    list.add(node, makeRow(n(node + 1), [], rows.length, { targets }), 0, false);
  return finished(list.troubled());
}

test('of one target no more than four definitions are kept', () => {
  const told = Array.from({ length: 9 }, (_, at) => [{ ...failing, digest: at }]);
  expect(troubled(...told).map(({ digest }) => digest)).toEqual([0, 1, 2, 3]);
});

test('no more than twice as many targets are kept as there may be, and of these each definition', () => {
  const names = Array.from({ length: 2 * maxTargets + 5 }, (_, at) => ({
    ...failing,
    target: `t${at}`,
  }));
  const looks = troubled(names, [{ ...failing, target: 't0', digest: 2 }]);
  expect(new Set(looks.map(({ name }) => name)).size).toBe(2 * maxTargets);
  expect(looks.filter(({ name }) => name === 't0').map(({ digest }) => digest)).toEqual([1, 2]);
});

test('a server whose number no list has is not one that fails', () => {
  const said = { ...failing, failingServers: [-1, 1, 16, 32] };
  const [looks] = troubled([said]);
  expect(looks?.details.get(0)?.servers).toBe(0b10);
});
