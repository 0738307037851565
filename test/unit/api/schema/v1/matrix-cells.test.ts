import { describe, expect, test } from 'vitest';
import {
  encodeMatrixBytes,
  packBits,
  unpackBits,
} from '../../../../../api/schema/v1/matrix-bytes.js';
import {
  byteToChannels,
  channelText,
  decodeMatrix,
  matrixPages,
  readPages,
  shownStates,
  type MatrixCells,
} from '../../../../../api/schema/v1/matrix-cells.js';
import { makeCells } from '../../../../rows/make-matrix.js';

const names = { at: '', rows: ['a', 'b'], columns: ['a', 'b', 'c'] };
const rowsOf = { ages: [1, null], stale: [false, false] };
const states = Uint8Array.from([0, 1, 2, 3, 4, 5]);
const rtts = Uint8Array.from([0, 1, 62, 128, 254, 255]);

describe('the byte fields of a body', () => {
  test('are read as they were written, also from the middle of a buffer', () => {
    const shared = Uint8Array.from([9, 9, ...states, 9]).subarray(2, 8);
    const bytes = encodeMatrixBytes({ states: shared, rtts, channels: rtts });
    const body = { ...names, ...rowsOf, ...bytes };
    expect(body.states).toBe('AAECAwQF');
    const decoded = decodeMatrix(body);
    expect([...decoded.states]).toEqual([...states]);
    expect([...decoded.rtts]).toEqual([...rtts]);
    expect([...(decoded.channels ?? [])]).toEqual([...rtts]);
    expect(decoded.omittedRows).toBe(0);
  });

  test.each([
    ['states', { states: '' }, 6],
    ['states', { states: 'AAECAwQ=' }, 6],
    ['rtts', { rtts: 'not base64 at all' }, 6],
    ['channels', { channels: 'AA==' }, 6],
    ['ages', { ages: [1] }, 2],
    ['stale', { stale: [] }, 2],
  ])('are refused if %s has another length', (field, wrong, wanted) => {
    const body = { ...names, ...rowsOf, ...encodeMatrixBytes({ states, rtts }), ...wrong };
    expect(() => decodeMatrix(body)).toThrow(`${field}: expected ${wanted} values, got`);
  });
});

test('the cells of a stale row are not shown, but for nodes that are not expected to answer', () => {
  const body = { ...names, ...rowsOf, ...encodeMatrixBytes({ states, rtts }) };
  expect([...shownStates(decodeMatrix(body))]).toEqual([...states]);
  const stale = decodeMatrix({ ...body, stale: [false, true] });
  expect([...shownStates(stale)]).toEqual([0, 1, 2, 0, 0, 5]);
  expect([...stale.states]).toEqual([...states]);
});

test.each([0, 1, 7, 8, 9, 17])('packs %i flags into bits and reads them again', (count) => {
  const flags = Uint8Array.from({ length: count }, (_, at) => (at % 3 === 0 ? 1 : 0));
  const bits = packBits(flags);
  expect(bits).toHaveLength(Math.ceil(count / 8));
  expect(unpackBits(bits, count)).toEqual(flags);
  if (count > 0) expect(bits[0]).toBeGreaterThanOrEqual(0x80);
});

test.each([
  [0, ''],
  [1, 'host ICMP'],
  [10, 'host HTTP, endpoint HTTP'],
  [0xf5, 'host ICMP, endpoint ICMP'],
])('the byte %i stands for the channels %s', (byte, words) => {
  expect(byteToChannels(byte).map(channelText).join(', ')).toBe(words);
});

describe('pages of rows', () => {
  const page = (rows: string[], omittedRows: number, columns = ['x']): MatrixCells =>
    makeCells(rows, columns, new Uint8Array(rows.length * columns.length).fill(2), {
      omittedRows,
      plane: 'host',
      protocol: 'icmp',
    });
  const source = (pages: readonly MatrixCells[]) => {
    const asked: (string | undefined)[] = [];
    const ask = (after: string | undefined) => {
      asked.push(after);
      return Promise.resolve(pages[asked.length - 1] ?? page([], 0));
    };
    return { asked, ask };
  };

  test('are asked for until none is left, and put together', async () => {
    const { asked, ask } = source([page(['a', 'b'], 3), page(['c', 'd'], 1), page(['e'], 0)]);
    const whole = await readPages(ask);
    expect(asked).toEqual([undefined, 'b', 'd']);
    expect(whole.rows).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([whole.states.length, whole.ages.length, whole.omittedRows]).toEqual([5, 5, 0]);
  });

  test('end where the columns change, and the rows that are missing are counted', async () => {
    const { ask } = source([page(['a'], 2), page(['b'], 1, ['x', 'y'])]);
    const whole = await readPages(ask);
    expect([whole.rows, whole.omittedRows]).toEqual([['a'], 2]);
  });

  test.each([
    ['the same rows again and again', ['a']],
    ['no rows', []],
  ])('end where an agent answers with %s', async (_, rows) => {
    const asked: (string | undefined)[] = [];
    const ask = (after: string | undefined) => {
      asked.push(after);
      return Promise.resolve(page(rows, 1000));
    };
    for await (const one of matrixPages(ask)) expect(one.rows).toEqual(rows);
    expect(asked.length).toBeLessThanOrEqual(2);
  });
});
