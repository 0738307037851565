import { describe, expect, test } from 'vitest';
import { mostPartialRows } from '../../../../agent/diagnosis/evidence/row-choice.js';
import type { Finding } from '../../../../agent/diagnosis/nouns/finding.js';
import { verdictOf } from '../../../../agent/kubernetes-status/verdicts.js';
import { finding, n, situationOf } from './world.js';

/** What an agent says of node 1, where all nodes are listed and heard, and one finding is open. */
function verdictOn(size: number, about: Partial<Finding>, named: readonly string[] = ['n1']) {
  const names = Array.from({ length: size }, (_, index) => n(index + 1));
  const findings = [{ finding: finding(1, about), nodes: new Set(named) }];
  const wallMs = Date.UTC(2026, 0, 2);
  return verdictOf('n1', situationOf(names, { localName: `c/${n(2)}`, wallMs, findings }));
}

function evidence(...ways: readonly (readonly [from: string, to: string])[]) {
  return ways.map(
    ([from, to]) =>
      ({ from, to, plane: 'host', protocol: 'icmp', failure: 'timeout', since: '' }) as const,
  );
}

describe('a finding that few agents tell of', () => {
  test('is Unknown where each of them could', () => {
    const fromOthers = evidence(['c/n2', 'c/n1'], ['c/n3', 'c/n1']);
    const of = (count: number) =>
      verdictOn(100, { seenBy: { failing: count, of: count }, evidence: fromOthers });
    expect(of(49)).toMatchObject({ status: 'Unknown', reason: 'TooFewObservers' });
    expect(of(50)).toMatchObject({ status: 'False', reason: 'NodeDown' });
  });

  // In a large outage rows leave nodes out, and then some hundreds of them are read.
  test('is False in a mass outage, in which not all rows are read', () => {
    const of = (rows: number) => ({
      seenBy: { failing: rows, of: rows },
      evidence: evidence(['c/n2', 'c/n1']),
    });
    expect(verdictOn(5000, of(mostPartialRows - 10))).toMatchObject({
      status: 'False',
      reason: 'NodeDown',
    });
    expect(verdictOn(5000, of(mostPartialRows / 2 - 10))).toMatchObject({ status: 'Unknown' });
  });

  test('is False where the node itself alone can tell', () => {
    const alone = { seenBy: { failing: 1, of: 1 }, evidence: evidence(['c/n1', 'c/n2']) };
    for (const kind of ['node-isolated', 'http-filtered', 'lossy'] as const)
      expect(verdictOn(12, { kind, ...alone })?.status).toBe('False');
    const folded = { ...alone, count: 20, evidence: evidence(['c/n1', 'c/n9'], ['c/n2', 'c/n9']) };
    expect(verdictOn(40, folded, ['n1', 'n2'])?.status).toBe('False');
  });

  test('is False where only some test large packets', () => {
    const tested = { seenBy: { failing: 3, of: 3 }, evidence: evidence(['c/n2', 'c/n1']) };
    expect(verdictOn(40, { kind: 'mtu', ...tested })).toMatchObject({
      status: 'False',
      reason: 'Mtu',
    });
  });
});

test('a sign of its host is no matter of the condition, and is named where that is True', () => {
  const sign = {
    kind: 'host-sign',
    severity: 'degraded',
    sign: 'clock-offset',
    seenBy: { failing: 1, of: 1 },
    explains: 0,
  } as const;
  for (const size of [2, 12])
    expect(verdictOn(size, sign)).toMatchObject({
      status: 'True',
      reason: 'NoFinding',
      message: 'no finding about its paths names this node; signs of its host: clock-offset',
      onlyIfPresent: true,
    });
});
