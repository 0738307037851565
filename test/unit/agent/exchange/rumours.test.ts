import { expect, test } from 'vitest';
import { encodeHints } from '../../../../agent/exchange/hints/hint-codec.js';
import {
  hintLifetimeMs,
  maxHintsPerMessage,
  type Hint,
} from '../../../../agent/exchange/hints/hint.js';
import type { HintUse } from '../../../../agent/exchange/hints/hinted-probes.js';
import { PathRumours } from '../../../../agent/exchange/hints/path-rumours.js';
import { NodeDirectory } from '../../../../agent/peers/node-directory.js';
import { pathsOf } from '../../../../agent/model/path.js';
import { VirtualClock } from '../../../sim/lib/virtual-clock.js';

const subject = { node: 'c/dead', plane: 'host', protocol: 'icmp' } as const;
const heard: Hint = { ...subject, change: 'failure', ageMs: 100, isWitness: false };

/** What an agent passes on that knows these nodes, each as `cluster/zone-...` or without a zone. It probes nothing, but notes its looks. */
function createRumours(names: readonly string[] = ['c/dead']) {
  const clock = new VirtualClock();
  const directory = new NodeDirectory();
  const nodes = names.map((name, at) => ({
    name,
    host: [`10.1.${at >> 8}.${at & 255}`],
    endpoint: [],
    zone: /^c\/(\w+)-/.exec(name)?.[1] ?? '',
  }));
  directory.update(nodes, { added: nodes.flatMap(pathsOf), removed: [] }, 0);
  const uses: HintUse[] = [];
  const looks: string[] = [];
  const never = { sentMs: -Infinity, answeredSentMs: -Infinity };
  const paths = new PathRumours({
    localName: 'c/me',
    clock,
    random: () => 0.5,
    directory,
    probing: () => ({
      activity: () => ({ state: 'reachable', ...never }),
      probeSoon: ({ node }) => looks.push(node),
    }),
    onUse: (use) => uses.push(use),
  });
  const wait = (ms: number) => clock.runUntil(clock.nowMs() + ms);
  return { paths, rumours: paths.rumours, uses, looks, wait };
}

test('a peer is told each hint once, and not at all if it told it', () => {
  const { rumours, wait } = createRumours();
  rumours.hear(heard, 'c/teller');
  wait(10);
  expect(rumours.take('c/teller')).toEqual([]);
  expect(rumours.take('c/other')).toEqual([{ ...heard, ageMs: 110 }]);
  expect(rumours.take('c/other')).toEqual([]);
});

test('who saw a change itself tells it also to those that know of it, once', () => {
  const { rumours, wait } = createRumours();
  rumours.hear(heard, 'c/teller');
  rumours.take('c/other');
  wait(20);
  rumours.witness(subject, 'failure');
  wait(10);
  for (const peer of ['c/teller', 'c/other']) {
    expect(rumours.take(peer)).toEqual([{ ...heard, ageMs: 10, isWitness: true }]);
    expect(rumours.take(peer)).toEqual([]);
  }
});

test('a change back is told to those that know of the change', () => {
  const { rumours, wait } = createRumours();
  rumours.witness(subject, 'failure');
  rumours.take('c/other');
  wait(20);
  rumours.witness(subject, 'recovery');
  expect(rumours.take('c/other').map(({ change }) => change)).toEqual(['recovery']);
});

test('hints that do not fit into a message are told with the next one', () => {
  const nodes = Array.from({ length: 20 }, (_, index) => `c/${'n'.repeat(200)}${index}`);
  const { rumours } = createRumours(nodes);
  for (const node of nodes) rumours.witness({ ...subject, node }, 'failure');
  const told: string[] = [];
  for (let message = 0; message < 5; message++) {
    const taken = rumours.take('c/other');
    expect(encodeHints(taken).split(',').filter(Boolean)).toHaveLength(taken.length);
    told.push(...taken.map(({ node }) => node));
  }
  expect(told.sort()).toEqual(nodes.sort());
});

test('a subject that changes back again and again is news a few times, whoever says so', () => {
  const { rumours, uses, wait } = createRumours();
  const news = Array.from({ length: 60 }, (_, at) => {
    wait(500);
    const change = at % 2 === 0 ? 'failure' : 'recovery';
    return rumours.hear({ ...heard, change, ageMs: 0, isWitness: true }, `c/liar${at}`);
  });
  // In thirty seconds: the first one, four changes at once, and after each six seconds that nobody is believed.
  expect(news.filter(Boolean).length).toBeLessThanOrEqual(10);
  expect(uses).toContain('refused');
});

test('one trouble in another zone is told and looked at beside thousands', () => {
  const [other, ...many] = ['c/b-0', ...Array.from({ length: 3000 }, (_, at) => `c/a-${at}`)];
  const { rumours, uses, looks, wait } = createRumours([other, ...many]);
  const hear = (node: string) => rumours.hear({ ...heard, node, protocol: 'http' }, 'c/teller');
  hear(other);
  for (const node of many) hear(node);
  const told = rumours.take('c/peer').map(({ node }) => node);
  expect(told).toContain(other);
  expect(told).toHaveLength(maxHintsPerMessage);
  expect(uses.at(-1)).toBe('refused');
  wait(60_000);
  expect(looks).toContain(other);
});

test('what was forgotten to make room may have been told, in that zone and for a while', () => {
  const [other, ...many] = ['c/b-0', ...Array.from({ length: 600 }, (_, at) => `c/a-${at}`)];
  const { paths, rumours, wait } = createRumours([other, ...many]);
  const mayBeSeen = () => ['c/a-0', other].map((node) => paths.mayBeSeenFailing(node));
  for (const node of many.slice(0, 512))
    rumours.hear({ ...heard, node, isWitness: true }, 'c/teller');
  expect(mayBeSeen()).toEqual([true, false]);
  for (const node of many.slice(512)) rumours.hear({ ...heard, node }, 'c/teller');
  expect(rumours.find({ ...subject, node: 'c/a-0' }, 'failure')).toBeUndefined();
  expect(mayBeSeen()).toEqual([true, false]);
  wait(hintLifetimeMs);
  expect(mayBeSeen()).toEqual([false, false]);
});

test('looks that wait make room for one in another zone', () => {
  const [other, ...many] = ['c/b-0', ...Array.from({ length: 3000 }, (_, at) => `c/a-${at}`)];
  const { rumours, uses, looks, wait } = createRumours([other, ...many]);
  const hear = (node: string) => rumours.hear({ ...heard, node, protocol: 'http' }, 'c/teller');
  for (const node of many) hear(node);
  expect(uses.at(-1)).toBe('refused');
  hear(other);
  expect(uses.at(-1)).toBe('probed');
  const probed = uses.filter((use) => use === 'probed').length;
  wait(60_000);
  expect(looks).toContain(other);
  // One of the others has made room.
  expect(looks).toHaveLength(probed - 1);
});
