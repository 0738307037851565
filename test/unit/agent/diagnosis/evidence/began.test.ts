import { expect, it } from 'vitest';
import { beganMsAgo } from '../../../../../agent/diagnosis/evidence/evidence-paths.js';
import { allMask } from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import { n, namesOf, rowsOf } from '../cluster.js';
import { explainedIn } from '../explained.js';
import { failing, isFrom, isTo } from '../paths.js';

/** How long ago the trouble of a node began of which echoes fail for a minute, and GETs for some seconds, in seconds. */
function beganS(getsS: number, intervalS: number): number {
  const rows = rowsOf(namesOf(40), { ageMs: 0, row: { httpIntervalMs: 1000 * intervalS } });
  const { tally, explained } = explainedIn(40, {
    says: (path) =>
      isTo(n(3))(path)
        ? { state: 'unreachable', ageSeconds: path.protocol === 'icmp' ? 40 : getsS }
        : undefined,
    rows,
  });
  const [found] = explained.causes;
  expect(found).toMatchObject({ subject: { type: 'node', node: 2 }, ways: 'in' });
  if (!found) return NaN;
  const cause = { ...found, channels: allMask, knownChannels: allMask };
  return beganMsAgo(cause, tally, [...cause.entries], { isShared: () => false }) / 1000;
}

it('began when the last of its channels failed, however long a sweep takes: hints bring looks sooner', () => {
  expect(beganS(5, 5)).toBe(5);
  expect(beganS(5, 50)).toBe(5);
});

it('began with the first of them where all were probed one after the other', () => {
  expect(beganS(34, 50)).toBe(40);
});

it('began with most of its paths: what one observer does not reach for longer failed for another reason before', () => {
  const isOlder = isFrom(n(2));
  const { tally, explained } = explainedIn(6, {
    says: (path) =>
      failing(isTo(n(3), 'host', 'http'), { ageSeconds: isOlder(path) ? 40 : 8 })(path),
    rows: rowsOf(namesOf(6), { ageMs: 0, row: { httpIntervalMs: 5000 } }),
  });
  const [cause] = explained.causes;
  expect(cause).toMatchObject({ subject: { type: 'node', node: 2 }, ways: 'in' });
  const began = cause && beganMsAgo(cause, tally, [...cause.entries], { isShared: () => false });
  expect(began).toBe(8000);
});
