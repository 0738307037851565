import { describe, expect, test } from 'vitest';
import {
  maxRowNotices,
  maxRowReceivers,
  type RowReceiver,
} from '../../../../../agent/model/row-notices.js';
import type { Row } from '../../../../../agent/model/row.js';
import { areSameNotices } from '../../../../../agent/peers/row/notices.js';
import { encodeRow, tellsTheSame } from '../../../../../agent/peers/row/row-text.js';
import { decodeRow, readFields, sentRow, travelled, wellRow } from '../../exchange/lib/rows.js';

const receiver = (more: Partial<RowReceiver> = {}): RowReceiver => ({
  digest: 2 ** 48 - 1,
  version: 41,
  failures: 2,
  isBeingSent: true,
  triedSeconds: 7,
  sent: [
    { digest: 2 ** 47, version: 1, phase: 'broken', ageSeconds: 70, hour: 490_000 },
    { digest: 5, version: 3, phase: 'closed', ageSeconds: 60 },
  ],
  ...more,
});
const withNotices = (notices: readonly RowReceiver[]): Row => ({ ...wellRow(), notices });

describe('what a row tells of notices', () => {
  test('comes through a message as it was', () => {
    const notices = [
      receiver(),
      { digest: 1, version: 0, failures: 0, isBeingSent: false, triedSeconds: 0, sent: [] },
    ];
    expect(travelled(withNotices(notices))?.notices).toEqual(notices);
  });

  test('is a field that older readers skip, and that older agents do not have', () => {
    const { notices, ...older } = sentRow({ notices: [receiver()] });
    expect(notices).toBeDefined();
    expect(decodeRow('c/a', older)).toEqual(wellRow());
  });

  test('is bounded, and the newest stays', () => {
    const sent = Array.from({ length: 200 }, (_, at) => ({
      digest: 2 ** 47 + at,
      version: 9,
      phase: 'closed' as const,
      ageSeconds: 3000 - at,
    }));
    const many = Array.from({ length: 9 }, (_, at) => receiver({ digest: 2 ** 47 + at, sent }));
    const text = encodeRow(withNotices(many));
    const read = decodeRow('c/a', JSON.parse(text))?.notices ?? [];
    expect(read).toHaveLength(maxRowReceivers);
    expect(read[0]?.sent).toHaveLength(maxRowNotices);
    expect(read[0]?.sent[0]?.ageSeconds).toBe(2801);
    expect(text.length - encodeRow(wellRow()).length).toBeLessThan(4096);
  });

  test('of what is open stays, however many have closed since', () => {
    const sent = Array.from({ length: 50 }, (_, at) => ({
      digest: at,
      version: 1,
      phase: at < 3 ? ('broken' as const) : ('closed' as const),
      ageSeconds: 3000 - at,
    }));
    const [read] = travelled(withNotices([receiver({ sent })]))?.notices ?? [];
    expect(read?.sent).toHaveLength(maxRowNotices);
    expect(read?.sent.slice(0, 4).map(({ digest }) => digest)).toEqual([2, 1, 0, 49]);
  });

  test('is another when more was told, and the same when only time went by', () => {
    const later = receiver({
      triedSeconds: 99,
      sent: receiver().sent.map((one) => ({ ...one, ageSeconds: one.ageSeconds + 92 })),
    });
    expect(areSameNotices([receiver()], [later])).toBe(true);
    expect(tellsTheSame(withNotices([receiver()]), withNotices([later]))).toBe(true);
    expect(areSameNotices([receiver()], [receiver({ version: 42 })])).toBe(false);
    expect(tellsTheSame(withNotices([receiver()]), wellRow())).toBe(false);
  });

  test('of a newer agent is read as far as it is known here', () => {
    const sent = [
      [5, 3, 2, 60, 7, 8],
      [6, 1, 9, 60],
    ];
    expect(readFields({ notices: [[1, 7, 0, 0, 5, sent, 'more', 7]] })?.notices).toEqual([
      {
        digest: 1,
        version: 7,
        failures: 0,
        isBeingSent: false,
        triedSeconds: 5,
        sent: [{ digest: 5, version: 3, phase: 'closed', ageSeconds: 60, hour: 7 }],
      },
    ]);
  });

  test.each([
    [7],
    ['x'],
    [{}],
    [[1]],
    [[[1, 7, 0, 0, 5]]],
    [[[2 ** 48, 7, 0, 0, 5, []]]],
    [[[-1, 7, 0, 0, 5, []]]],
    [[[1, 7, 256, 0, 5, []]]],
    [[[1, 2 ** 41, 0, 0, 5, []]]],
    [[[1, 7, 0, 2, 5, []]]],
    [[[1, 7, 0, 0, -1, []]]],
    [[[1, 7, 0, 0, 1e12, []]]],
    [[[1, 7, 0, 0, 5, 7]]],
    [[[1, 7, 0, 0, 5, [[1, 1, 1]]]]],
    [[[1, 7, 0, 0, 5, [[1, 2 ** 41, 1, 5]]]]],
    [[[1, 7, 0, 0, 5, [[1, 1, 1, 5, 2 ** 22]]]]],
    [[[1, 7, 0, 0, 5, [[1, 1, 1, 5, -1]]]]],
    [[[1, 7, 0, 0, 5, [[1, 1, 1, 5, 'x']]]]],
    [
      [
        [
          1,
          0,
          0,
          -1,
          [
            [1, 1, 1, 5],
            [1, 2, 1, 5],
          ],
        ],
      ],
    ],
    [
      [
        [1, 7, 0, 0, 5, []],
        [1, 7, 0, 0, 5, []],
      ],
    ],
    [[[1, 7, 0, 0, 5, Array.from({ length: 99 }, (_, at) => [at, 1, 1, 5])]]],
    [Array.from({ length: 99 }, (_, at) => [at, 7, 0, 0, 5, []])],
    [[['1', 7, 0, 0, 5, []]]],
    [null],
  ])('that is malformed makes the row one that is refused: %j', (notices) => {
    expect(readFields({ notices })).toBeUndefined();
  });
});
