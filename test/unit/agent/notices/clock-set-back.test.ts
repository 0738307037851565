import { describe, expect, test } from 'vitest';
import { openNews } from '../../../../agent/notices/due-notice.js';
import { noticeOf } from '../../../../agent/notices/notice-of.js';
import { troubleMs, type WatchedFinding } from '../../../../agent/notices/watched-findings.js';
import { hasQuorum } from '../../../../agent/turns/quorum.js';

const openedAt = Date.parse('2026-01-01T10:00:00.000Z');

/** A finding that this agent has seen for ten minutes, and that began a second earlier. */
const watched: WatchedFinding = {
  finding: {
    id: 'node:c/n7',
    kind: 'node-down',
    severity: 'broken',
    node: 'c/n7',
    protocols: ['icmp', 'http'],
    since: '2026-01-01T10:00:00.000Z',
    seenBy: { failing: 11, of: 11 },
    explains: 44,
    confidence: 0.9,
    text: 'none of 11 nodes can reach c/n7',
    next: [],
    evidence: [],
  },
  earlier: [],
  zones: [],
  cameMs: 1000,
  severityMs: 1000,
  goneMs: undefined,
  openings: 1,
  isPart: false,
};
const nowMs = 601_000;
const [right, setBack] = [601_000, -2_999_000].map((ms) => openedAt + ms);

describe('a finding that lasts for ten minutes, on a host whose clock was set back by an hour meanwhile', () => {
  test('began long enough ago to know who was heard since', () => {
    const others = [{ name: 'c/n1', heardMsAgo: 3000, isReady: true }];
    const isKnown = (wallMs = 0) =>
      hasQuorum({ others, freshForMs: 60_000 }, troubleMs(watched, { nowMs, wallMs }));
    expect([isKnown(right), isKnown(setBack)]).toEqual([true, true]);
  });

  test('has lasted for ten minutes when it closes', () => {
    const closed = {
      ...openNews({ ...watched, goneMs: nowMs - 60_000 }),
      event: 'closed',
    } as const;
    const lasted = (wallMs = 0) =>
      noticeOf(closed, {
        ...{ cluster: 'c', verdict: 'ok', by: 'c/n1', version: 2, told: undefined },
        nowMs,
        wallMs,
      }).durationSeconds;
    expect([lasted(right), lasted(setBack)]).toEqual([541, 540]);
  });
});
