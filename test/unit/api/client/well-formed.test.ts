import { describe, expect, test } from 'vitest';
import { isWellFormedStatus } from '../../../../api/client/well-formed.js';
import { statusSchema } from '../../../../api/schema/status.js';

const protocol = {
  latency: 1,
  status: '',
  lastProbed: 't',
  state: 'reachable',
  since: 't',
  failures: 0,
  lossy: true,
  slow: false,
  degraded: true,
  tainted: false,
  loss1m: 0.5,
  loss10m: 0,
  loss1h: 1,
  min: 1,
  p50: 2,
  p95: 3,
  p99: 4,
  max: 5,
  connect: 1,
  firstByte: 2,
  tcpRtt: 3,
  synRetransmissions: 0,
};
const path = { ip: '10.0.0.1', icmp: protocol, http: null, unknown: { http: 'not probed yet' } };
const plane = { 'primary-address': path, 'secondary-addresses': [path] };
const protocolPlan = { paths: 2, intervalMs: 1000.5, timeToDetectMs: 2500 };
const good = () =>
  structuredClone({
    local: { name: 'c/a' },
    timestamp: 't',
    probeInterval: '1s',
    generation: 7,
    findings: 2,
    plan: { icmp: protocolPlan, http: protocolPlan },
    nodes: [
      {
        name: 'c/a',
        host: plane,
        'health-endpoint': plane,
        endpoint: path,
        lifecycle: { phase: 'excluded', reason: 'cordoned' },
      },
      { name: 'c/b', host: null },
    ],
  });

const strange: readonly unknown[] = [
  undefined,
  null,
  true,
  'x',
  '',
  -1,
  0.5,
  2,
  1e300,
  NaN,
  Infinity,
  [],
  [null],
  {},
  { name: 5 },
  { ip: 5 },
];

/** Every place in a value as the list of keys that lead to it. */
function placesIn(value: unknown, before: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [before];
  const inner = Object.entries(value).flatMap(([key, one]) => placesIn(one, [...before, key]));
  return [before, ...inner];
}

function put(body: unknown, place: readonly string[], value: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return value;
  const object = body as Record<string, unknown>;
  object[key] = put(object[key], rest, value);
  return object;
}

describe('isWellFormedStatus', () => {
  test('accepts a whole status, also with unknown fields', () => {
    expect(isWellFormedStatus(good())).toBe(true);
    expect(isWellFormedStatus({ ...good(), later: { any: 'thing' } })).toBe(true);
  });

  test('accepts nothing that the schema refuses, with any value in any place', () => {
    let refused = 0;
    for (const place of placesIn(good())) {
      for (const value of strange) {
        const body = put(good(), place, value);
        // A round trip through JSON removes undefined and NaN, which no answer can hold.
        const { body: sent = null } = JSON.parse(JSON.stringify({ body })) as { body?: unknown };
        if (!isWellFormedStatus(sent)) refused++;
        else expect(statusSchema.safeParse(sent).success, JSON.stringify(sent)).toBe(true);
      }
    }
    expect(refused).toBeGreaterThan(1000);
  });
});
