import { describe, expect, test } from 'vitest';
import { openNews } from '../../../../agent/notices/due-notice.js';
import { noticeOf } from '../../../../agent/notices/notice-of.js';
import { troubleMs, WatchedFindings } from '../../../../agent/notices/watched-findings.js';
import { hasQuorum } from '../../../../agent/turns/quorum.js';
import { makeFinding } from '../../../rows/make-finding.js';

const openedAt = Date.parse('2026-01-01T10:00:00.000Z');

const finding = makeFinding({
  node: 'c/n7',
  since: '2026-01-01T10:00:00.000Z',
  text: 'none of 11 nodes can reach c/n7',
});

/** A finding that began a second before this agent saw it, and its clock is set by so much after five minutes. */
function watch(setMs: number) {
  const findings = new WatchedFindings();
  const see = (afterMs: number, aheadMs: number, since = finding.since) =>
    findings.note(
      [{ finding: { ...finding, since }, zones: [] }],
      () => false,
      timesAt(afterMs, aheadMs),
    );
  see(1000, 0);
  see(300_000, 0);
  see(301_000, setMs);
  const end = (afterMs: number) => findings.note([], () => false, timesAt(afterMs, setMs));
  const known = () => {
    const one = findings.get(finding.id);
    if (!one) throw new RangeError('expected a finding that is watched');
    return one;
  };
  return { see, end, known };
}

const timesAt = (afterMs: number, aheadMs: number) => ({
  nowMs: 50_000 + afterMs,
  wallMs: openedAt + afterMs + aheadMs,
});

describe.each([
  ['set back by an hour', -3_600_000],
  ['set forward by an hour', 3_600_000],
  ['never set', 0],
])('a finding of ten minutes, on a host whose clock was %s meanwhile', (_, setMs) => {
  test('began long enough ago to know who was heard since, and no longer', () => {
    const { nowMs } = timesAt(600_000, setMs);
    const forMs = troubleMs(watch(setMs).known(), nowMs);
    expect(forMs).toBe(600_000);
    const isKnown = (heardMsAgo: number) =>
      hasQuorum(
        { others: [{ name: 'c/n1', heardMsAgo, isReady: true }], freshForMs: 3_600_000 },
        forMs,
      );
    expect([isKnown(3000), isKnown(700_000)]).toEqual([true, false]);
  });

  test('has lasted for ten minutes when it closes', () => {
    const { end, known } = watch(setMs);
    end(600_000);
    const { durationSeconds } = noticeOf(
      { ...openNews(known()), event: 'closed' },
      {
        ...{ cluster: 'c', verdict: 'ok', by: 'c/n1', version: 2, sent: undefined },
        ...timesAt(660_000, setMs),
      },
    );
    expect(durationSeconds).toBe(600);
  });

  test('began when it says so by the new clock, where it says another time then', () => {
    const { see, known } = watch(setMs);
    see(400_000, setMs, new Date(openedAt - 200_000 + setMs).toISOString());
    expect(troubleMs(known(), timesAt(600_000, setMs).nowMs)).toBe(800_000);
  });
});
