import { describe, expect, test } from 'vitest';
import { decodeNodeMatrix, worstOf } from '../../../../api/page/model/matrix-cells.js';
import { zoneMatrixOf, zoneState } from '../../../../api/page/model/zone-grid.js';
import { encodeMatrixBytes } from '../../../../api/schema/v1/matrix-bytes.js';
import { makeZoneCell } from '../../../rows/make-matrix.js';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('decodeNodeMatrix', () => {
  test('gives the bytes that the agent encoded, and unknown for an unknown state', () => {
    const body = {
      at: '',
      rows: ['c/a', 'c/b'],
      columns: ['c/a', 'c/b'],
      ages: [0, null],
      stale: [false, false],
      ...encodeMatrixBytes({ states: bytes(2, 4, 9, 0), rtts: bytes(1, 0, 255, 0) }),
    };
    const { states, rtts } = decodeNodeMatrix(body);
    expect([...states]).toEqual([2, 4, 1, 0]);
    expect([...rtts]).toEqual([1, 0, 255, 0]);
    const cut = { ...body, rows: ['c/a'], ages: [0], stale: [false] };
    expect(() => decodeNodeMatrix(cut)).toThrow('states: expected 2 values, got 4');
  });
});

test('in a shared pixel a failure hides all other cells, and a cell without a report hides reachable ones', () => {
  const order = [4, 3, 0, 1, 2, 5];
  for (const [at, worse] of order.entries()) {
    for (const better of order.slice(at)) {
      expect(worstOf(worse, better)).toBe(worse);
      expect(worstOf(better, worse)).toBe(worse);
    }
  }
});

describe('zones', () => {
  const cell = makeZoneCell();

  test.each([
    [{}, 2],
    [{ unknown: 3 }, 2],
    [{ unknown: 4 }, 0],
    [{ pairs: 0 }, 0],
    [{ lossy: 1, unknown: 3 }, 3],
    [{ slow: 1, unknown: 3 }, 3],
    [{ failing: 1, lossy: 3 }, 4],
  ])('%j is state %i', (change, state) => {
    expect(zoneState({ ...cell, ...change })).toBe(state);
  });

  test('missing cells have no report, and cells of other zones are left out', () => {
    const matrix = zoneMatrixOf({
      at: '',
      zones: ['a', 'b'],
      cells: [cell, { ...cell, from: 'nowhere' }],
    });
    expect([...matrix.states]).toEqual([0, 2, 0, 0]);
    expect(matrix.cellOf(0, 1)).toEqual(cell);
    expect(matrix.cellOf(1, 0)).toBeUndefined();
  });
});
