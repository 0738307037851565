import { describe, expect, test } from 'vitest';
import { eventTone, eventWords, isOfNode } from '../../../../api/page/model/event-words.js';
import { formatRtt, formatShare } from '../../../../api/page/model/format-rtt.js';
import { formatAge, formatTime } from '../../../../api/page/model/format-time.js';
import { largeWords, pathWord } from '../../../../api/page/model/path-word.js';
import { notFromWords } from '../../../../api/page/model/target-words.js';
import { plainText, withoutCluster } from '../../../../api/page/model/plain-text.js';
import {
  headlineOf,
  notKnownWords,
  verdictBasis,
} from '../../../../api/page/model/verdict-words.js';
import { targetPlane } from '../../../doubles/targets.js';

test.each([
  [-5, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_600_000, '1 h'],
  [5_400_000, '1 h 30 min'],
  [90_000_000, '1 d 1 h'],
])('an age of %i ms reads %s', (ms, text) => {
  expect(formatAge(ms)).toBe(text);
});

test("a time has its date if it is not today in the reader's zone", () => {
  const at = Date.parse('2026-03-01T23:30:00Z');
  const later = at + 3_600_000;
  expect(formatTime(at, later, { timeZone: 'UTC' })).toBe('2026-03-01 23:30:00');
  expect(formatTime(at, later, { timeZone: 'Asia/Tokyo' })).toBe('08:30:00');
});

test.each([
  [undefined, '–'],
  [999, '999 ns'],
  [90_123, '90.1 µs'],
  [640_000, '640 µs'],
  [12_345_678, '12.3 ms'],
  [2_000_000_000, '2 s'],
])('a round trip of %s ns reads %s', (ns, text) => {
  expect(formatRtt(ns)).toBe(text);
});

test.each([
  [0, '0 %'],
  [0.0004, '< 0.1 %'],
  [0.013, '1.3 %'],
  [1, '100 %'],
])('a share of %d reads %s', (share, text) => {
  expect(formatShare(share)).toBe(text);
});

test('invisible characters in a name are spelled out', () => {
  expect(plainText('a\u0000b\u001b[31m\u202egpj\u2066')).toBe(
    'a\\u0000b\\u001b[31m\\u202egpj\\u2066',
  );
});

test.each([
  ['c/a', 'c', 'a'],
  ['c/a and (c/b), c/c,c/d', 'c', 'a and (b), c,d'],
  ['abc/a c/a/c', 'c', 'abc/a a/c'],
  ['c/a', undefined, 'c/a'],
  ['/a', '', '/a'],
  ['.*/a x/a', '.*', 'a x/a'],
])('%j without the cluster %j is %j', (text, cluster, short) => {
  expect(withoutCluster(text, cluster)).toBe(short);
});

test('an unknown verdict is not shown as a good one', () => {
  expect(headlineOf('ok')).toBe('The cluster is well');
  expect(headlineOf('splendid')).toBe('Not known yet');
  expect(headlineOf('constructor')).toBe('Not known yet');
});

test('news are neither good, bad nor unknown', () => {
  const stamp = { id: 1, at: '2026-03-01T00:00:00Z' };
  expect(eventTone({ ...stamp, type: 'list', nodes: 2, added: 1, removed: 0 })).toBe('news');
  expect(eventTone({ ...stamp, type: 'node', change: 'added', node: 'c/a' })).toBe('news');
  const path = { plane: 'host', protocol: 'icmp', address: '::1' } as const;
  const lost = { previousState: 'reachable', state: 'unknown' } as const;
  const event = { ...stamp, type: 'path', node: 'c/a', ...path, ...lost } as const;
  expect(eventTone(event)).toBe('unknown');
  expect(['c/a', 'a', 'c/b', 'c'].map((name) => isOfNode(event, name))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a finding that closed without being mended is no good news', () => {
  const event = {
    id: 1,
    at: '2026-03-01T00:00:00Z',
    type: 'finding',
    change: 'closed',
    finding: 'f',
    kind: 'target-down',
    severity: 'broken',
    text: 'web is down',
    reason: 'no longer watched',
  } as const;
  expect(eventWords(event)).toBe('Finding closed (no longer watched): web is down');
  expect(eventTone(event)).toBe('news');
  expect(eventTone({ ...event, reason: undefined })).toBe('ok');
});

test('the nodes that do not reach a target are counted where none of them is named', () => {
  const plane = targetPlane(9, {
    reached: { from: 6, of: 9, lossy: 0, slow: 0, notLooked: 0 },
  });
  const words = (notFrom: string[]) => notFromWords({ ...plane, notFrom }, 2, (name) => name);
  expect(words([])).toBe('3 nodes');
  expect(words(['a', 'b', 'c'])).toBe('a, b and 1 more');
});

describe('eventWords', () => {
  const stamp = { id: 1, at: '2026-03-01T00:00:00Z' };
  const path = { ...stamp, type: 'path', node: 'c/a', plane: 'host', protocol: 'icmp' } as const;

  test('tells what changed', () => {
    const change = { address: '192.0.2.1', previousState: 'reachable' } as const;
    const failed = { ...path, ...change, state: 'unreachable', failure: 'no reply' } as const;
    expect(eventWords(failed)).toBe('host ICMP 192.0.2.1: reachable → unreachable (no reply)');
    const node = { ...stamp, type: 'node', change: 'changed', node: 'c/a' } as const;
    const lifecycle = { phase: 'excluded', reason: 'cordoned' } as const;
    expect(eventWords({ ...node, lifecycle })).toBe('Node changed, excluded (cordoned)');
    const known = 'Kubernetes: NotReady since 2026-01-31T14:02:07Z';
    expect(eventWords({ ...node, lifecycle: { phase: 'active' }, known })).toBe(
      `Node changed, active, ${known}`,
    );
    const list = { ...stamp, type: 'list', nodes: 2, added: 1, removed: 0 } as const;
    expect(eventWords(list)).toBe('Node list of 2 nodes, 1 added, 0 removed');
    const hops = {
      ...stamp,
      type: 'hops',
      node: 'c/a',
      plane: 'host',
      address: '192.0.2.1',
    } as const;
    expect(eventWords({ ...hops, previousHops: 4, hops: 6 })).toBe(
      'host 192.0.2.1: replies take 4 → 6 hops',
    );
  });
});

test.each([
  [{}, 'reachable'],
  [{ lossy: true, degraded: true }, 'lossy'],
  [{ slow: true, degraded: true }, 'slow'],
  [{ lossy: true, slow: true, degraded: true }, 'lossy, slow'],
])('a reachable path with %j is %s', (flags, word) => {
  expect(pathWord({ state: 'reachable', ...flags })).toBe(word);
});

test.each([
  [undefined, undefined],
  [{ state: 'ok', size: 16_000 } as const, undefined],
  [{ state: 'lost', size: 16_000 } as const, 'large packets are lost'],
  [
    { state: 'lost', size: 16_000, limit: { bytes: 1410 } } as const,
    'packets above 1,410 bytes are lost',
  ],
])('of large packets %j the page says %j', (large, words) => {
  expect(largeWords(large)).toBe(words);
});

describe('notKnownWords', () => {
  const words = (more: object) => notKnownWords({ verdict: 'ok', ...more } as never);

  test('gives the reason of an unknown verdict as a sentence, with hidden characters spelled out', () => {
    const verdict = 'unknown';
    expect(words({ verdict, reason: 'no \u202eagent' })).toBe('No \\u202eagent.');
    expect(words({ verdict })).toBeUndefined();
  });

  test('counts failing pairs beside findings', () => {
    expect(words({ verdict: 'broken', reason: 'x', unexplained: 1 })).toBe(
      '1 failing pair more, cause not known yet.',
    );
    expect(words({ verdict: 'broken', reason: 'x' })).toBeUndefined();
    expect(words({ verdict: 'ok' })).toBeUndefined();
  });
});

test('what the verdict is based on begins with what is not probed', () => {
  const summary = {
    nodes: { active: 3, joining: 0, leaving: 0, excluded: 0 },
    observers: { fresh: 2, stale: 0, silent: 0 },
    notProbed: [{ protocol: 'icmp', reason: 'no permission', text: '', switchedOff: false }],
  };
  expect(verdictBasis(summary as never)).toBe(
    'ICMP is not probed (no permission). 3 active nodes. 3 of 3 observers report.',
  );
  // A number stays on the line of its unit.
  const observers = { ...summary.observers, oldestSeconds: 83 };
  expect(verdictBasis({ ...summary, notProbed: [], observers } as never)).toBe(
    '3 active nodes. 3 of 3 observers report, the oldest report 1\u00a0min old.',
  );
});
