import { expect, test } from 'vitest';
import {
  decodeNodeMatrix,
  inNaturalOrder,
  withShownStates,
} from '../../../../api/page/model/matrix-cells.js';
import { compareNames } from '../../../../api/page/model/natural-order.js';
import { zoneMatrixOf } from '../../../../api/page/model/zone-grid.js';

test.each([
  [
    ['c/n10', 'c/n1', 'c/n2'],
    ['c/n1', 'c/n2', 'c/n10'],
  ],
  [
    ['rack10-2', 'rack2-10', 'rack2-9'],
    ['rack2-9', 'rack2-10', 'rack10-2'],
  ],
  [
    ['b', '', 'a'],
    ['', 'a', 'b'],
  ],
  [
    ['99999999999999999999999', '100000000000000000000000', '3'],
    ['3', '99999999999999999999999', '100000000000000000000000'],
  ],
])('%j are in the order in which people count', (names, ordered) => {
  expect(names.toSorted(compareNames)).toEqual(ordered);
});

test('names that read the same are always in one order', () => {
  const alike = ['n1', 'n01', 'n\u200b1', 'n\u00001'];
  const ordered = alike.toSorted(compareNames);
  for (let turn = 0; turn < alike.length; turn++) {
    alike.push(alike.shift() ?? '');
    expect(alike.toSorted(compareNames)).toEqual(ordered);
  }
});

test('rows and columns of a matrix take their cells, ages and channels along', () => {
  const body = {
    at: '',
    rows: ['c/n1', 'c/n10', 'c/n2'],
    columns: ['c/n1', 'c/n10', 'c/n2', 'c/n3'],
    ages: [1, 10, 2],
    stale: [false, true, false],
    states: Buffer.from([2, 2, 4, 2, 3, 2, 3, 3, 2, 4, 2, 2]).toString('base64'),
    rtts: Buffer.from([11, 110, 12, 13, 101, 110, 102, 103, 21, 210, 22, 23]).toString('base64'),
    channels: Buffer.from([0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0]).toString('base64'),
  };
  const matrix = inNaturalOrder(decodeNodeMatrix(body));
  expect(matrix.rows).toEqual(['c/n1', 'c/n2', 'c/n10']);
  expect(matrix.columns).toEqual(['c/n1', 'c/n2', 'c/n3', 'c/n10']);
  expect(matrix.ages).toEqual([1, 2, 10]);
  expect(matrix.stale).toEqual([false, false, true]);
  expect([...matrix.states]).toEqual([2, 4, 2, 2, 2, 2, 2, 4, 3, 3, 3, 2]);
  expect([...matrix.rtts]).toEqual([11, 12, 13, 110, 21, 22, 23, 210, 101, 102, 103, 110]);
  expect([...(matrix.channels ?? [])]).toEqual([0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]);
  expect([...withShownStates(matrix).shown.slice(8)]).toEqual([0, 0, 0, 0]);
});

test('zones are in natural order, each with its own cells', () => {
  const none = { failing: 0, lossy: 0, slow: 0, degraded: 0, unknown: 0 };
  const matrix = zoneMatrixOf({
    at: '',
    zones: ['z1', 'z10', 'z2'],
    cells: [{ from: 'z10', to: 'z2', pairs: 3, ...none, failing: 3 }],
  });
  expect(matrix.zones).toEqual(['z1', 'z2', 'z10']);
  expect(matrix.cellOf(2, 1)?.failing).toBe(3);
  expect([...matrix.states]).toEqual([0, 0, 0, 0, 0, 0, 0, 4, 0]);
});
