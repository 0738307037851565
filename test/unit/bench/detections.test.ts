import { describe, expect, test } from 'vitest';
import { pathsOf, planOf } from '../../bench/environment/status.js';
import { firstSaid, heldSince, verdicts } from '../../bench/steps/detections.js';

type State = 'reachable' | 'unreachable' | undefined;

/** The status body of one node, whose two paths are in these states by ICMP and HTTP, since then. */
function body(
  host: readonly [State, State],
  endpoint: readonly [State, State],
  seconds: readonly string[] = ['00', '00', '00', '00'],
): Buffer {
  const left = seconds.map((second) => `2026-01-01T00:00:${second}Z`);
  const path = (ip: string, [icmp, http]: readonly [State, State]) => {
    const [icmpSince, httpSince] = left.splice(0, 2);
    return {
      ip,
      ...(icmp && { icmp: { state: icmp, since: icmpSince } }),
      ...(http && { http: { state: http, since: httpSince } }),
    };
  };
  const first = path('198.18.0.1', host);
  const primary = path('198.19.0.1', endpoint);
  const node = {
    name: 'default/node00001',
    host: { 'primary-address': first, 'secondary-addresses': [] },
    'health-endpoint': { 'primary-address': primary, 'secondary-addresses': [] },
    endpoint: primary,
  };
  return Buffer.from(JSON.stringify({ nodes: [node] }));
}

const held = (...states: Parameters<typeof body>): string[] =>
  verdicts.filter(
    (verdict) => heldSince(verdict, pathsOf(body(...states)), 'unreachable') < Infinity,
  );

const [up, down] = ['reachable', 'unreachable'] as const;

describe('heldSince', () => {
  test.each([
    { host: [up, up], endpoint: [up, up], expected: [] },
    { host: [down, up], endpoint: [up, up], expected: ['any'] },
    { host: [down, up], endpoint: [down, up], expected: ['any', 'planes', 'icmp'] },
    { host: [down, up], endpoint: [up, down], expected: ['any', 'planes'] },
    { host: [up, down], endpoint: [undefined, down], expected: ['any', 'planes', 'http'] },
    { host: [down, down], endpoint: [down, down], expected: [...verdicts] },
  ] as const)('of $host and $endpoint: $expected', ({ host, endpoint, expected }) => {
    expect(held(host, endpoint)).toEqual(expected);
  });

  test('nothing of a node that is not in the body', () => {
    expect(verdicts.map((verdict) => heldSince(verdict, [], 'reachable'))).toEqual(
      verdicts.map(() => Infinity),
    );
  });

  test('each verdict stands since the last path it needs came to it', () => {
    const paths = pathsOf(body([down, down], [down, down], ['05', '40', '20', '30']));
    const at = (second: string): number => Date.parse(`2026-01-01T00:00:${second}Z`);
    const moments = verdicts.map((verdict) => [verdict, heldSince(verdict, paths, 'unreachable')]);
    expect(Object.fromEntries(moments)).toEqual({
      any: at('05'),
      planes: at('20'),
      icmp: at('20'),
      http: at('40'),
      all: at('40'),
    });
  });
});

describe('firstSaid', () => {
  test('is what the agent says where its answers bear that out', () => {
    expect(firstSaid(150, 100, 200)).toBe(150);
  });

  test('is neither before an answer that did not say so nor after the first that did', () => {
    expect(firstSaid(50, 100, 200)).toBe(100);
    expect(firstSaid(Number.MAX_SAFE_INTEGER, 100, 200)).toBe(200);
  });
});

test('a path is named once, by its node without the cluster', () => {
  expect(pathsOf(body([up, up], [up, up])).map(({ node, ip }) => [node, ip])).toEqual([
    ['node00001', '198.18.0.1'],
    ['node00001', '198.19.0.1'],
  ]);
});

test('planOf reads a plan where there is one', () => {
  const plan = { icmp: { paths: 2, intervalMs: 1000, timeToDetectMs: 2600 } };
  const text = (more: object): Buffer => Buffer.from(JSON.stringify({ nodes: [], ...more }));
  expect(planOf(text({ plan }), 'icmp')).toEqual({ intervalMs: 1000, timeToDetectMs: 2600 });
  expect(planOf(text({ plan }), 'http')).toEqual({});
  expect(planOf(text({}), 'icmp')).toEqual({});
});
