import { describe, expect, test } from 'vitest';
import { encodeRow, maxRowBytes } from '../../../../../agent/peers/row/row-text.js';
import { SentRow } from '../../../../../agent/exchange/rows/sent-row.js';
import type { SuspectedTarget } from '../../../../../agent/exchange/hints/target-rumours.js';
import { planes } from '../../../../../agent/model/path.js';
import type { Row } from '../../../../../agent/model/row.js';
import { rowAges, type RowTarget } from '../../../../../agent/model/target.js';
import { keepRow } from '../../../../../agent/peers/row/kept-row.js';
import { Random } from '../../../../fuzz/random.js';
import { VirtualClock } from '../../../../sim/lib/virtual-clock.js';
import { decodeRow, randomRow, readFields, travelled, wellRow } from '../../exchange/lib/rows.js';

const told: RowTarget = {
  target: 'database',
  digest: 0xffff_ffff,
  plane: 'endpoint',
  state: 'unreachable',
  ageSeconds: 9.3,
  probedSeconds: 4.1,
  failure: 'redirect',
  p50Ns: 1_234_567,
  p99Ns: 9_876_543_210,
  failingServers: [0, 15],
  servers: { count: 16, digest: 0xffff_fffe },
};

const full: RowTarget[] = Array.from({ length: 16 }, (_, index) =>
  planes.map((plane) => ({ ...told, target: `${'t'.repeat(60)}${index}`, plane })),
).flat();

const come = (targets: readonly RowTarget[]) => travelled({ ...wellRow(), targets })?.targets;

describe('the targets of a row', () => {
  test('are the same after they have travelled', () => {
    expect(come(full)).toEqual(full);
    const bare: RowTarget = {
      target: 'a',
      digest: 0,
      plane: 'host',
      state: 'unknown',
      ageSeconds: 0,
      probedSeconds: 0,
    };
    expect(come([bare])).toEqual([bare]);
  });

  test('are kept where nodes have to be cut', () => {
    const nodes = Array.from({ length: 64 }, (_, index) => `c/${'n'.repeat(200)}${index}`);
    const row: Row = { ...randomRow(new Random(3), nodes), targets: full };
    const text = encodeRow(row);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxRowBytes);
    const read = decodeRow(row.observer, JSON.parse(text));
    expect(read?.targets).toEqual(full);
    expect(read?.omittedNodes).toBeGreaterThan(row.omittedNodes);
  });

  test('of a newer agent are read as far as they are known here', () => {
    const read = (entry: unknown) => readFields({ targets: [['a', 1, entry]] })?.targets;
    const known = { target: 'a', digest: 1, plane: 'host', ageSeconds: 2, probedSeconds: 3.1 };
    expect(read([0, 200, 20, 31, 200, 0, 0, 0])).toEqual([{ ...known, state: 'unknown' }]);
    expect(read([0, 0, 20, 31, -1, 0, 0, 0, 77])).toEqual([{ ...known, state: 'reachable' }]);
    expect(read([2, 0, 2, 3, -1, 0, 0, 0])).toBeUndefined();
    expect(read([0, 0, 20, 31, -1, 0, 0, 0, 2, 7, 9])).toEqual([
      { ...known, state: 'reachable', servers: { count: 2, digest: 7 } },
    ]);
  });

  test.each([
    ['no list', { length: 1 }],
    ['seventeen', Array.from({ length: 17 }, (_, i) => [`a${i}`, 1, [0, 0, 0, 0, -1, 0, 0, 0]])],
    ['no plane', [['a', 1]]],
    ['a plane twice', [['a', 1, [0, 0, 0, 0, -1, 0, 0, 0], [0, 0, 0, 0, -1, 0, 0, 0]]]],
    ['a name twice', ['a', 'a'].map((name) => [name, 1, [0, 0, 0, 0, -1, 0, 0, 0]])],
    ['a bad name', [['A b', 1, [0, 0, 0, 0, -1, 0, 0, 0]]]],
    ['a name with an escape', [['a\u001b[2J', 1, [0, 0, 0, 0, -1, 0, 0, 0]]]],
    ['a digest of 33 bits', [['a', 2 ** 32, [0, 0, 0, 0, -1, 0, 0, 0]]]],
    ['an age of two years', [['a', 1, [0, 0, 20 * 366 * 86_400, 0, -1, 0, 0, 0]]]],
    ['p50 above p99', [['a', 1, [0, 0, 0, 0, -1, 2, 1, 0]]]],
    ['too few numbers', [['a', 1, [0, 0, 0, 0, -1, 0, 0]]]],
    ['a text for a number', [['a', 1, ['0', 0, 0, 0, -1, 0, 0, 0]]]],
    ['a part of a number', [['a', 1, [0, 0, 0.5, 0, -1, 0, 0, 0]]]],
    ['too many servers', [['a', 1, [0, 0, 0, 0, -1, 0, 0, 2 ** 16]]]],
  ])('are refused with the row: %s', (_, targets) => {
    const row = JSON.parse(encodeRow(wellRow())) as Record<string, unknown>;
    expect(decodeRow('c/a', row)).toBeDefined();
    expect(decodeRow('c/a', { ...row, targets })).toBeUndefined();
  });

  test.each([0.1, 86_399.9, 86_400.9, 8_640_000])('keep an age of %d s', (ageSeconds) => {
    expect(come([{ ...told, ageSeconds }])?.[0]?.ageSeconds).toBe(ageSeconds);
  });

  test('tell of a look to a tenth of a second, and never one that was before as one since', () => {
    expect(rowAges(1390, 1310)).toEqual({ ageSeconds: 1.3, probedSeconds: 1.4 });
    expect(rowAges(-5, 0)).toEqual({ ageSeconds: 0, probedSeconds: 0 });
  });

  test('take few bytes in memory, where others have the same', () => {
    const row = JSON.parse(encodeRow({ ...wellRow(), targets: full })) as unknown;
    const bare = JSON.parse(encodeRow(wellRow())) as unknown;
    const bytes = (keepRow('c/a', row)?.byteLength ?? 0) - (keepRow('c/a', bare)?.byteLength ?? 0);
    expect(bytes / full.length).toBeGreaterThan(10);
    expect(bytes / full.length).toBeLessThan(32);
  });
});

describe('the sent row and looks at targets', () => {
  function createSentRow() {
    const clock = new VirtualClock();
    const state = {
      lookedMs: 0,
      target: { ...told, state: 'reachable' } as RowTarget,
      suspected: [] as SuspectedTarget[],
    };
    const sent = new SentRow({
      clock,
      processId: 'p',
      ownRow: () => {
        const probedSeconds = Math.ceil((clock.nowMs() - state.lookedMs) / 1000);
        const row = { ...wellRow(), targets: [{ ...state.target, probedSeconds }] };
        return { row, sent: row, writtenMs: clock.nowMs() };
      },
      suspected: () => state.suspected,
    });
    const tagAt = (ms: number): string => {
      clock.runUntil(ms);
      return sent.current().tag;
    };
    return { state, tagAt };
  }

  test('are no change while nobody suspected the target, and are told once in a while', () => {
    const { state, tagAt } = createSentRow();
    const first = tagAt(10_000);
    for (let ms = 15_000; ms <= 60_000; ms += 5000) {
      state.lookedMs = ms;
      expect(tagAt(ms)).toBe(first);
    }
    state.lookedMs = 65_000;
    expect(tagAt(65_000)).not.toBe(first);
  });

  test('are told when they come after a doubt, and then no more', () => {
    const { state, tagAt } = createSentRow();
    state.lookedMs = 9000;
    const first = tagAt(10_000);
    state.suspected = [
      { target: 'database', digest: told.digest, plane: 'endpoint', sinceMs: 12_000 },
    ];
    expect(tagAt(13_000)).toBe(first);
    state.lookedMs = 14_000;
    const second = tagAt(15_000);
    expect(second).not.toBe(first);
    state.lookedMs = 20_000;
    expect(tagAt(21_000)).toBe(second);
    state.suspected = [
      { target: 'other', digest: told.digest, plane: 'endpoint', sinceMs: 22_000 },
    ];
    state.lookedMs = 23_000;
    expect(tagAt(24_000)).toBe(second);
  });

  test('small moves of RTTs are no change, large ones and a state are', () => {
    const { state, tagAt } = createSentRow();
    const first = tagAt(10_000);
    state.target = { ...state.target, p50Ns: 1_500_000 };
    expect(tagAt(12_000)).toBe(first);
    state.target = { ...state.target, p50Ns: 3_000_000 };
    const second = tagAt(14_000);
    expect(second).not.toBe(first);
    state.target = { ...state.target, state: 'unreachable' };
    expect(tagAt(16_000)).not.toBe(second);
  });
});
