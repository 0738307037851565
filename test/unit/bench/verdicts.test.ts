import { describe, expect, test } from 'vitest';
import { pathsOf, planOf } from '../../bench/ground/status.js';
import { holds, verdicts } from '../../bench/steps/verdicts.js';

type State = 'reachable' | 'unreachable' | undefined;

/** The status body of one node, whose two paths are in these states by ICMP and HTTP. */
function body(host: readonly [State, State], endpoint: readonly [State, State]): Buffer {
  const path = (ip: string, [icmp, http]: readonly [State, State]) => ({
    ip,
    ...(icmp && { icmp: { state: icmp } }),
    ...(http && { http: { state: http } }),
  });
  const primary = path('198.19.0.1', endpoint);
  const node = {
    name: 'default/node00001',
    host: { 'primary-address': path('198.18.0.1', host), 'secondary-addresses': [] },
    'health-endpoint': { 'primary-address': primary, 'secondary-addresses': [] },
    endpoint: primary,
  };
  return Buffer.from(JSON.stringify({ nodes: [node] }));
}

const held = (...states: Parameters<typeof body>): string[] =>
  verdicts.filter((verdict) => holds(verdict, pathsOf(body(...states)), 'unreachable'));

const [up, down] = ['reachable', 'unreachable'] as const;

describe('holds', () => {
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
    expect(verdicts.filter((verdict) => holds(verdict, [], 'reachable'))).toEqual([]);
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
