import { describe, expect, test } from 'vitest';
import { keepRow } from '../../../../../agent/peers/row/kept-row.js';
import { SentRow } from '../../../../../agent/exchange/rows/sent-row.js';
import { nameHash } from '../../../../../agent/model/name-hash.js';
import type { RowLarge, RowLargeLoss } from '../../../../../agent/model/row-large.js';
import type { Row, RowPath } from '../../../../../agent/model/row.js';
import {
  boundLarge,
  encodeLarge,
  maxLargeBytes,
  withLarge,
} from '../../../../../agent/peers/row/large.js';
import { SharedParts } from '../../../../../agent/peers/row/shared-parts.js';
import { VirtualClock } from '../../../../sim/lib/virtual-clock.js';
import { Random } from '../../../../fuzz/random.js';
import {
  decodeRow,
  randomRow,
  readFields,
  sentRow,
  travelled,
  wellRow,
} from '../../exchange/lib/rows.js';

const limit = { bytes: 1410, interfaceBytes: 1500, saidBy: '10.3.2.1' };
const lossTo = (node: string): RowLargeLoss => ({ node, plane: 'host', ageSeconds: 60, limit });
const passTo = (node: string, ageSeconds = 30) => ({ node, plane: 'host' as const, ageSeconds });
const names = (count: number) => Array.from({ length: count }, (_, i) => `cluster/node-${i}`);

describe('what a row tells of large packets', () => {
  test('takes little room, and tells of losses and of what passes', () => {
    const large: RowLarge = {
      lost: names(64).map(lossTo),
      passed: names(64).map((name) => passTo(name)),
    };
    expect(JSON.stringify(encodeLarge(large)).length).toBeLessThanOrEqual(maxLargeBytes);
    const { lost = [], passed = [] } = travelled({ ...wellRow(), large })?.large ?? {};
    expect(lost.length).toBeGreaterThan(5);
    expect(lost).toEqual(large.lost.slice(0, lost.length));
    expect(passed.length).toBeGreaterThan(7);
    expect(passed).toEqual(large.passed.slice(0, passed.length));
  });

  test('is a field that older readers skip', () => {
    const { large, ...older } = sentRow({ large: { lost: [lossTo('c/n1')], passed: [] } });
    expect(large).toBeDefined();
    expect(decodeRow('c/a', older)).toEqual(wellRow());
  });

  test('of a newer agent is read as far as it is known here', () => {
    const lost = [
      ['c/n1', 0, 5, 1, 1410, 1500, '', 0b11001, 'more', 7],
      ['c/n1', 2, 5, 0],
    ];
    expect(
      readFields({ large: { lost, passed: [['c/n2', 1, 5, 'more']], more: 1 } })?.large,
    ).toEqual({
      lost: [
        {
          node: 'c/n1',
          plane: 'host',
          ageSeconds: 5,
          isBack: true,
          limit: { bytes: 1410, interfaceBytes: 1500, tunnels: ['vxlan', 'wireguard'] },
        },
      ],
      passed: [{ node: 'c/n2', plane: 'endpoint', ageSeconds: 5 }],
    });
  });

  test.each([
    ['nothing', null],
    ['a list', []],
    ['no losses', { passed: [] }],
    ['no passes', { lost: [] }],
    ['a size of 67', { lost: [['c/n1', 0, 5, 0, 67, 1500, '']], passed: [] }],
    ['a size of 1e9', { lost: [['c/n1', 0, 5, 0, 1e9, 2e9, '']], passed: [] }],
    ['an interface of 1e9', { lost: [['c/n1', 0, 5, 0, 1410, 1e9, '']], passed: [] }],
    [
      'a limit that the interface has too',
      { lost: [['c/n1', 0, 5, 0, 1500, 1500, '']], passed: [] },
    ],
    ['half a size', { lost: [['c/n1', 0, 5, 0, 1410.5, 1500, '']], passed: [] }],
    ['a size without the rest', { lost: [['c/n1', 0, 5, 0, 1410]], passed: [] }],
    ['a router that is none', { lost: [['c/n1', 0, 5, 0, 1410, 1500, 'a\u001b[2J']], passed: [] }],
    ['an age of two years', { lost: [], passed: [['c/n1', 0, 2 * 366 * 86_400]] }],
    ['a bad name', { lost: [], passed: [['c n1', 0, 5]] }],
    ['a way that is none', { lost: [['c/n1', 0, 5, 2]], passed: [] }],
    [
      'a path twice',
      {
        lost: [],
        passed: [
          ['c/n1', 0, 5],
          ['c/n1', 0, 6],
        ],
      },
    ],
    ['65 losses', { lost: names(65).map((name) => [name, 0, 5, 0]), passed: [] }],
    ['thousands', { lost: [], passed: names(5000).map((name) => [name, 0, 5]) }],
    ['too long an item', { lost: [], passed: [['c/n1', 0, ...Array<number>(20).fill(1)]] }],
  ])('is refused with the row: %s', (_, large) => {
    expect(readFields({ large: { lost: [], passed: [] } })).toBeDefined();
    expect(readFields({ large })).toBeUndefined();
  });

  test('forgets nodes that are listed no more', () => {
    const listed = names(4);
    const large: RowLarge = {
      lost: listed.map(lossTo),
      passed: names(4).map((name) => passTo(name)),
    };
    const shared = new SharedParts({
      numberOfNode: (name) => (listed.includes(name) ? listed.indexOf(name) : undefined),
      nodeOfNumber: (number) => listed[number],
    });
    const kept = keepRow('c/a', sentRow({ large }), shared);
    expect(kept?.large).toEqual(large);
    listed.length = 2;
    expect(kept?.large).toEqual({ lost: large.lost.slice(0, 2), passed: large.passed.slice(0, 2) });
  });

  test('is of the same nodes on all agents, where there are too many', () => {
    const { lost } = boundLarge({ lost: names(200).map(lossTo), passed: [] });
    const lowest = names(200).sort((a, b) => nameHash(a) - nameHash(b));
    expect(lost.map(({ node }) => node)).toEqual(lowest.slice(0, 64));
  });
});

describe('the own row', () => {
  const path = (more: Partial<RowPath>): RowPath => ({
    node: 'c/n1',
    plane: 'host',
    protocol: 'http',
    state: 'unreachable',
    ageSeconds: 5,
    ...more,
  });
  const lostBeside = (more: Partial<RowPath>): number | undefined =>
    withLarge({ ...wellRow(), paths: [path(more)] }, { lost: [lossTo('c/n1')], passed: [] }).large
      ?.lost.length;

  test.each([
    ['is dead', {}],
    ['is not known to work', { state: 'unknown' }],
    ['loses small packets too', { protocol: 'icmp', state: 'lossy' }],
  ] as const)('tells nothing of large packets where a path %s', (_, more) => {
    expect(lostBeside(more)).toBeUndefined();
  });

  test.each([
    ['only ping fails', { protocol: 'icmp' }],
    ['the other plane fails', { plane: 'endpoint' }],
    ['another node fails', { node: 'c/n2' }],
    ['it is slow', { state: 'slow' }],
  ] as const)('tells of them where %s', (_, more) => {
    expect(lostBeside(more)).toBe(1);
  });
});

describe('the row for a peer to which large packets are lost', () => {
  const sentOf = (row: Row) =>
    new SentRow({
      clock: new VirtualClock(),
      processId: 'p',
      ownRow: () => ({ row, sent: row, writtenMs: 0 }),
    });

  test('fits into one packet, whatever there is to tell', () => {
    const nodes = names(64);
    const row: Row = {
      ...randomRow(new Random(7), nodes),
      large: { lost: nodes.map(lossTo), passed: nodes.map((name) => passTo(name)) },
    };
    const sent = sentOf(row);
    const small = sent.currentSmall();
    expect(sent.current().text.length).toBeGreaterThan(4000);
    expect(small.text.length).toBeLessThan(1200);
    expect(small.tag).toBe(sent.current().tag);
    const read = decodeRow('c/a', JSON.parse(small.text));
    expect(new Set(read?.paths.map(({ node }) => node)).size).toBe(4);
    expect(read?.omittedNodes).toBe(row.omittedNodes + 60);
    expect(read?.large?.lost).toHaveLength(4);
  });

  test('is the whole one where that is small', () => {
    const sent = sentOf(wellRow());
    expect(sent.currentSmall()).toEqual(sent.current());
  });
});

describe('the sent row and large packets', () => {
  function createSentRow(large: RowLarge) {
    const clock = new VirtualClock();
    const state = { large };
    const sent = new SentRow({
      clock,
      processId: 'p',
      ownRow: () => {
        const sent: Row = { ...wellRow(), large: state.large };
        return { row: sent, sent, writtenMs: clock.nowMs() };
      },
    });
    const tagAfter = (ms: number): string => {
      clock.runUntil(clock.nowMs() + ms);
      return sent.current().tag;
    };
    return { state, tagAfter };
  }

  test('is not sent again while only ages rise', () => {
    const { state, tagAfter } = createSentRow({
      lost: [lossTo('c/n1')],
      passed: [passTo('c/n2', 1)],
    });
    const first = tagAfter(0);
    state.large = { lost: [{ ...lossTo('c/n1'), ageSeconds: 70 }], passed: [passTo('c/n2', 11)] };
    expect(tagAfter(10_000)).toBe(first);
  });

  test('is sent again when a limit was found, when a path was tested again, and when all pass', () => {
    const bare = { node: 'c/n1', plane: 'host', ageSeconds: 60 } as const;
    const { state, tagAfter } = createSentRow({ lost: [bare], passed: [passTo('c/n2', 1)] });
    const tags = [tagAfter(0)];
    state.large = { lost: [lossTo('c/n1')], passed: [passTo('c/n2', 11)] };
    tags.push(tagAfter(10_000));
    state.large = { lost: [lossTo('c/n1')], passed: [passTo('c/n2', 1)] };
    tags.push(tagAfter(10_000));
    state.large = { lost: [], passed: [passTo('c/n2', 11)] };
    tags.push(tagAfter(10_000));
    expect(new Set(tags).size).toBe(4);
  });
});
