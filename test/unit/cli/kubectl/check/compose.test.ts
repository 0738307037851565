import { describe, expect, test } from 'vitest';
import { checkSchema, type AgentPart } from '../../../../../api/schema/v1/check.js';
import type { Finding } from '../../../../../api/schema/v1/findings.js';
import { composeCheck } from '../../../../../cli/kubectl/check/compose.js';
import { coverageOf } from '../../../../../cli/kubectl/check/coverage.js';
import { renderCheck } from '../../../../../cli/view/check-text.js';
import { at, endpointPlaneFinding, MemoryV1Source } from '../../../../doubles/v1-source.js';

const names = ['c/n1', 'c/n2'];
const counts = { reachable: 2, unreachable: 0, unknown: 0, lossy: 0, slow: 0, degraded: 0 };
const plane = { icmp: counts, http: counts, large: { ok: 1, lost: 0, unknown: 0 } };

function partOf(node: string, open: Finding[] = [], fresh = 1): AgentPart {
  const source = new MemoryV1Source(names);
  source.open = open;
  source.observers = { ...source.observers, fresh };
  const paths = { host: plane, endpoint: plane };
  const summary = { ...source.summary(), node, paths };
  const slow = { from: node, to: 'c/n9', plane: 'host', protocol: 'icmp', p50Ns: 1e6 } as const;
  return {
    summary,
    targets: source.targets(),
    findings: source.findings(),
    slowest: [slow],
    lossiest: [{ ...slow, loss: node === 'c/n1' ? 0.5 : 0 }],
  };
}

function composed(parts: readonly AgentPart[], more: object = {}) {
  const body = composeCheck({
    image: 'i',
    seconds: 12.3,
    at: new Date(at),
    nodes: 2,
    leftOut: [],
    notProbed: [],
    parts: new Map(parts.map((part) => [part.summary.node, part])),
    ...more,
  });
  return checkSchema.parse(body);
}

describe('a check', () => {
  test('is ok where all agents say so and nothing is missing', () => {
    const body = composed([partOf('c/n1'), partOf('c/n2')]);
    expect([body.verdict, body.reason]).toEqual(['ok', undefined]);
    expect(body.lossiest).toMatchObject([{ from: 'c/n1', loss: 0.5 }]);
    expect(renderCheck(body, (_, text) => text)).toMatch(
      /^All is well: 2 of 2 nodes checked in 12s\n/,
    );
  });

  test('has each finding once, those of one side of a split too, the worst first', () => {
    const mild = endpointPlaneFinding({ id: 'b', severity: 'degraded', text: 'mild' });
    const bad = endpointPlaneFinding({ id: 'a', text: 'bad' });
    const { findings, verdict, reason } = composed([
      partOf('c/n1', [mild], 5),
      partOf('c/n2', [mild, bad], 1),
    ]);
    expect(findings.map(({ id, next }) => [id, next])).toEqual([
      ['a', []],
      ['b', []],
    ]);
    expect([verdict, reason]).toEqual(['broken', 'bad, and 1 more finding']);
  });

  test.each([
    [
      { leftOut: [{ node: 'n2', why: 'no room', isForeign: false }] },
      '1 node could not take part, such as n2: no room',
    ],
    [{ notProbed: ['n1 did not probe x'] }, 'n1 did not probe x'],
  ])('is not known where something is missing: %j', (more, reason) => {
    expect(composed([partOf('c/n1')], more)).toMatchObject({ verdict: 'unknown', reason });
  });

  test('is ok without nodes that no agent is for, and names them', () => {
    const leftOut = [{ node: 'w', why: 'windows', isForeign: true }];
    expect(composed([partOf('c/n1')], { leftOut })).toMatchObject({
      verdict: 'ok',
      nodes: { leftOut: [{ node: 'w', why: 'windows' }] },
    });
  });

  test('is not known where an agent is not sure', () => {
    const part = partOf('c/n1');
    const summary = { ...part.summary, verdict: 'unknown' as const, reason: 'no other was heard' };
    expect(composed([{ ...part, summary }])).toMatchObject({
      verdict: 'unknown',
      reason: 'c/n1: no other was heard',
    });
  });
});

describe('what an agent has probed', () => {
  test('is complete with all paths, large packets and targets', () => {
    expect(coverageOf(partOf('c/n1'), 2, 2)).toEqual({ done: 10, of: 10, missing: [] });
  });

  test('counts endpoints that it has not heard of', () => {
    const { summary, targets } = partOf('c/n1');
    const half = { ...counts, reachable: 1 };
    const endpoint = { icmp: half, http: half, large: { ok: 0, lost: 0, unknown: 1 } };
    const paths = { ...summary.paths, endpoint };
    expect(coverageOf({ summary: { ...summary, paths }, targets }, 2, 2).missing).toEqual([
      '1 of 2 paths by endpoint ICMP',
      '1 of 2 paths by endpoint HTTP',
      '1 of 1 path with large packets on the endpoint plane',
    ]);
  });
});
