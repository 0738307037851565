import { expect, test } from 'vitest';
import { PathSight } from '../../../../../agent/diagnosis/life/path-sight.js';
import type { Cause } from '../../../../../agent/diagnosis/nouns/cause.js';
import { allMask, httpMask } from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import { n } from '../cluster.js';
import { explainedIn } from '../explained.js';
import { failing, isOn, isTo } from '../paths.js';

const count = 12;

/** What is known of a node to which the GETs of one other fail, where ICMP is dropped everywhere, if all of it fails. */
function sightOf(isHeard: boolean) {
  const isGet = (from: string, to: string) => from === n(1) && to === n(3);
  const { facts, tally, explained } = explainedIn(count, {
    says: failing(
      (path) => isOn('icmp')(path) || (isGet(path.from, path.to) && isTo(n(3), 'http')(path)),
    ),
    input: { heardMsAgo: new Map([[n(3), isHeard ? 500 : 120_000]]) },
    rows: isHeard ? { [n(2)]: { row: { heard: [n(3)] } } } : {},
    without: [n(3)],
  });
  const entries = tally.entriesTo(2);
  expect(entries).toHaveLength(count - 1);
  const cause: Cause = {
    trouble: 'broken',
    subject: { type: 'node', node: 2 },
    channels: allMask,
    knownChannels: allMask,
    ways: 'in',
    entries,
    paths: 2 * count,
    well: 0,
    cost: 10,
    gain: 10,
    isPartial: false,
  };
  return new PathSight(cause, facts, explained);
}

test('of servers those tell whose GETs fail: that echoes fail says nothing of them', () => {
  const sight = sightOf(false);
  expect(sight.isAboutServers).toBe(true);
  expect(sight.cause.knownChannels).toBe(httpMask);
  expect(sight.seen().failing).toBe(1);
  expect(sight.isSure()).toBe(false);
});

test('of a node those tell who see more fail than what fails for all', () => {
  const sight = sightOf(true);
  expect(sight.isAboutServers).toBe(false);
  expect(sight.cause.knownChannels).toBe(allMask);
  expect(sight.seen().failing).toBe(1);
  expect(sight.isSure()).toBe(false);
});
