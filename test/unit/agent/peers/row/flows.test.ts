import { describe, expect, test } from 'vitest';
import { tellsTheSame } from '../../../../../agent/peers/row/row-text.js';
import type { Row, RowPath } from '../../../../../agent/model/row.js';
import { readPath, travelled, wellRow } from '../../exchange/lib/rows.js';

const lossy: RowPath = {
  node: 'c/n',
  plane: 'host',
  protocol: 'http',
  state: 'lossy',
  ageSeconds: 7,
};
const flows = { tried: 64, failing: 6, sometimes: 1 };

const rowOf = (...paths: RowPath[]): Row => ({ ...wellRow(), paths });

describe('the flows of a row', () => {
  test('are the same after they have travelled', () => {
    const row = rowOf(
      { ...lossy, flows },
      { ...lossy, plane: 'endpoint' },
      { ...lossy, node: 'c/m', flows: { tried: 2, failing: 1, sometimes: 0 } },
      { ...lossy, node: 'c/l', state: 'unreachable', failure: 'timeout' },
    );
    expect(travelled(row)).toEqual(row);
  });

  test('are a change of the row', () => {
    expect(tellsTheSame(rowOf(lossy), rowOf({ ...lossy, flows }))).toBe(false);
    expect(tellsTheSame(rowOf({ ...lossy, flows }), rowOf({ ...lossy, flows }))).toBe(true);
  });

  test('are read where they can be', () => {
    expect(readPath([1, 1, 7, -1, 64, 6, 1])).toEqual([{ ...lossy, flows }]);
    expect(readPath([1, 1, 7, -1, 64, 6, 1, 0, 99])).toEqual([{ ...lossy, flows }]);
    expect(readPath([1, 1, 7, -1])).toEqual([lossy]);
  });

  test.each([
    ['none fails', [64, 0, 0]],
    ['all fail', [64, 64, 0]],
    ['more fail than were tried', [64, 65, 0]],
    ['more fail now and then than were tried', [64, 60, 5]],
    ['more were tried than a test tries', [65, 6, 0]],
    ['none was tried', [0, 0, 0]],
  ])('are left out where %s', (_, numbers) => {
    expect(readPath([1, 1, 7, -1, ...numbers])).toEqual([lossy]);
  });

  test.each([
    [
      'another state',
      [1, 0, 7, 0, 64, 6, 0],
      { state: 'unreachable', failure: 'timeout', unheardSeconds: 6 },
    ],
    ['another protocol', [0, 1, 7, -1, 64, 6, 0], { protocol: 'icmp', lost: 64 }],
    ['a lossy path with a failure', [1, 1, 7, 0, 64, 6, 0], { failure: 'timeout' }],
  ])('are left out of %s', (_, entry, told) => {
    expect(readPath(entry)).toEqual([{ ...lossy, ...told }]);
  });

  test.each([
    ['a part', [64, 6.5, 0]],
    ['less than nothing', [64, -1, 0]],
    ['a text', [64, '6', 0]],
    ['far too much', [64, 1e300, 0]],
  ])('are refused with the row where a number is %s', (_, numbers) => {
    expect(readPath([1, 1, 7, -1, ...numbers])).toBeUndefined();
  });
});

describe('the losses of a row', () => {
  test('are the same after they have travelled, beside flows too', () => {
    const row = rowOf(
      { ...lossy, lost: 9 },
      { ...lossy, plane: 'endpoint', flows, lost: 255 },
      { ...lossy, node: 'c/m', protocol: 'icmp', lost: 3 },
      { ...lossy, node: 'c/l', state: 'slow' },
    );
    expect(travelled(row)).toEqual(row);
  });

  test('are a change of the row once they are twice as many, up to what tells more', () => {
    const losing = (lost: number) => rowOf({ ...lossy, lost });
    expect(tellsTheSame(losing(10), losing(11))).toBe(true);
    expect(tellsTheSame(losing(3), losing(8))).toBe(false);
    expect(tellsTheSame(losing(12), losing(200))).toBe(true);
    expect(tellsTheSame(rowOf(lossy), losing(3))).toBe(false);
  });

  test('are no more than fits into eight bits', () => {
    expect(readPath([0, 1, 7, -1, 9999])).toEqual([{ ...lossy, protocol: 'icmp', lost: 255 }]);
    expect(travelled(rowOf({ ...lossy, lost: 9999 }))?.paths).toEqual([{ ...lossy, lost: 255 }]);
  });

  test.each([
    ['another state', [0, 2, 7, -1, 9]],
    ['a path that fails', [0, 0, 7, 0, 0]],
  ])('are left out of %s', (_, entry) => {
    expect(readPath(entry)?.[0]).not.toHaveProperty('lost');
  });

  test.each([9.5, -1, '9', 1e300, null])('are refused with the row where they are %s', (lost) => {
    expect(readPath([0, 1, 7, -1, lost])).toBeUndefined();
  });
});
