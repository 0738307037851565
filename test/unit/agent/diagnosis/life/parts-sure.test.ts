import { expect, test } from 'vitest';
import { onChannels } from '../../../../../agent/diagnosis/nouns/cause.js';
import { isSure } from '../../../../../agent/diagnosis/life/opening.js';
import {
  allMask,
  endpointHttpMask,
  endpointIcmpMask,
  hostHttpMask,
  icmpMask,
} from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import { n, type PathOf, type Saying } from '../cluster.js';
import { explainedIn } from '../explained.js';
import { failing, isAt, isOn, isTo } from '../paths.js';

test('two causes of a node are not sure where what fails for all would make them one of the whole node', () => {
  const says = failing((path) => isOn('endpoint', 'http')(path) || isTo(n(3))(path));
  const { tally, explained } = explainedIn(40, { says });
  const [whole] = explained.causes.filter(({ subject }) => subject.type === 'node');
  expect(whole).toMatchObject({ channels: allMask, ways: 'in' });
  if (!whole) return;
  const [echoes, gets] = [icmpMask, hostHttpMask].map((mask) => onChannels(whole, mask, tally.bad));
  const larger = explained.causes.filter(({ subject }) => subject.type === 'cluster');
  const seen = { failing: 39, of: 39, reporting: 39 };
  const isSureBeside = (...others: (typeof whole | undefined)[]) =>
    echoes &&
    isSure(
      echoes,
      { ...explained, causes: [...larger, echoes, ...others.flatMap((one) => one ?? [])] },
      seen,
      0,
    );
  expect(isSureBeside()).toBe(true);
  expect(isSureBeside(gets)).toBe(false);
  expect(isSureBeside(gets && { ...gets, ways: 'out' })).toBe(true);
});

/** Whether GETs to a node are sure that have failed for twenty seconds, as have echoes both ways, where its own row is so old. */
function areGetsSure(ageS: number): boolean | undefined {
  const [echoes, gets] = [isAt(n(3), 'endpoint', 'icmp'), isTo(n(3), 'endpoint', 'http')];
  const says = (path: PathOf): Saying => {
    const ageSeconds = 20 - (path.from === n(3) ? ageS : 2);
    return echoes(path) || gets(path) ? { state: 'unreachable', ageSeconds } : undefined;
  };
  const rows = { [n(3)]: { ageMs: 1000 * ageS, bodyAgeMs: 1000 * ageS } };
  const { tally, explained } = explainedIn(40, { says, rows });
  const [both, into] = explained.causes;
  expect([both, into]).toMatchObject([
    { ways: 'both', channels: endpointIcmpMask },
    { ways: 'in' },
  ]);
  if (!both || !into) return undefined;
  const cause = onChannels(into, endpointHttpMask, tally.bad);
  const seen = { failing: 39, of: 39, reporting: 39 };
  return isSure(cause, { ...explained, causes: [both, cause] }, seen, 0);
}

test('GETs to a node are not sure while its own are to come, where its echoes fail both ways', () => {
  expect(areGetsSure(20)).toBe(false);
  expect(areGetsSure(2)).toBe(true);
});
