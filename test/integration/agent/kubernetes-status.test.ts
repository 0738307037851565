import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApiClient } from '../../../agent/discovery/kubernetes/api-client.js';
import type { ProjectedNode } from '../../../agent/discovery/kubernetes/node-projection.js';
import { StatusWriter } from '../../../agent/kubernetes-status/status-writer.js';
import { Problems } from '../../../agent/platform/problems.js';
import type { ApiServer } from '../../doubles/api-server/api-server.js';
import type { Fault } from '../../doubles/api-server/faults.js';
import { FakeClock } from '../../unit/agent/probing/fake-clock.js';
import { finding, listedNode, n, situationOf } from '../../unit/agent/kubernetes-status/world.js';
import { accessTo } from './discovery/kubernetes/lib/access.js';
import { startApiServer } from '../../doubles/api-server/start-api-server.js';

// The writer, its HTTP client and a server that does not take what it is sent. Only the clock is turned by hand.

const taken: Fault = { kind: 'say', text: '{}' };

let server: ApiServer;
let clock: FakeClock;
let problems: Problems;
let createWriter: (deadlineMs: number) => StatusWriter;
let writer: StatusWriter;
let token: string;

beforeEach(async () => {
  server = await startApiServer();
  clock = new FakeClock();
  problems = new Problems();
  token = 'first';
  const since = new Date(clock.wallMs()).toISOString();
  const names = [1, 2, 3].map(n);
  const listed = names.map((name): [string, ProjectedNode] => [name, listedNode(name)]);
  const situation = () =>
    situationOf(names, {
      nowMs: clock.nowMs(),
      wallMs: clock.wallMs(),
      findings: [{ finding: finding(3, { since }), nodes: new Set(['n3']) }],
      listed: { nodes: new Map(listed), isCurrent: true },
      // The others hear it and do not write.
      others: [2, 3].map((at) => ({ name: `c/${n(at)}`, heardMsAgo: 0, isReady: false })),
      reaches: () => false,
    });
  createWriter = (deadlineMs) =>
    new StatusWriter({
      client: createApiClient(accessTo(server.url, () => token)),
      clock,
      logger: pino({ enabled: false }),
      problems,
      writesConditions: true,
      writesEvents: false,
      situation,
      deadlineMs,
    });
  writer = createWriter(300);
});
afterEach(() => writer.stop());

/** Lets the time pass until the server was asked so often; tells how many milliseconds it took. */
async function untilAsked(times: number): Promise<number> {
  const fromMs = clock.nowMs();
  await vi.waitFor(
    async () => {
      await clock.advance(1000);
      expect(server.requests).toHaveLength(times);
    },
    { timeout: 20_000, interval: 5 },
  );
  return clock.nowMs() - fromMs;
}
const untilTold = (pattern: RegExp) =>
  vi.waitFor(() => expect(problems.list().join()).toMatch(pattern), { timeout: 20_000 });
const untilWell = () => vi.waitFor(() => expect(problems.list()).toEqual([]), { timeout: 20_000 });

describe('a write that', () => {
  test.for<[string, Fault, RegExp]>([
    ['is never answered', { kind: 'hang' }, /cannot be written: no answer within 0.3 s/],
    [
      'is answered by headers alone',
      { kind: 'silent' },
      /cannot be written: no answer within 0.3 s/,
    ],
    ['is cut', { kind: 'cut' }, /cannot be written: socket hang up/],
    ['meets an overloaded server', { kind: 'status', status: 503 }, /HTTP 503: refused with 503/],
  ])('%s is told and made again', async ([, fault, problem]) => {
    server.fail(fault);
    server.fail(taken);
    await untilAsked(1);
    await untilTold(problem);
    await untilAsked(2);
    await untilWell();
  });

  test('is to wait is made again when it may', async () => {
    server.fail({ kind: 'status', status: 429, retryAfter: '120' });
    server.fail(taken);
    await untilAsked(1);
    await untilTold(/HTTP 429/);
    expect(await untilAsked(2)).toBeGreaterThanOrEqual(119_000);
    await untilWell();
  });

  test('is refused as it is, is told and not made again at once', async () => {
    server.fail({ kind: 'status', status: 422 });
    server.fail(taken);
    await untilAsked(1);
    await untilTold(/HTTP 422: refused with 422/);
    expect(await untilAsked(2)).toBeGreaterThanOrEqual(59_000);
  });

  test('is made with a token that has expired is made again with the new one', async () => {
    server.tokens.add('second');
    await untilAsked(1);
    await untilTold(/HTTP 401: Unauthorized/);
    token = 'second';
    await untilAsked(2);
    expect(server.requests.at(-1)?.token).toBe('second');
  });

  test('is answered with a huge body is done, and its body is cut', async () => {
    writer.stop();
    // To send so much takes a busy machine longer than the others wait.
    writer = createWriter(20_000);
    const text = 'x'.repeat(8 << 20);
    server.fail({ kind: 'say', text }, 'any', 2);
    await untilAsked(1);
    const client = createApiClient(accessTo(server.url, () => token));
    const write = {
      method: 'PATCH',
      path: '/x',
      contentType: 'application/json',
      body: '{}',
    } as const;
    const kept = await client.write(write, AbortSignal.timeout(20_000));
    expect(kept).toHaveLength(64 << 10);
    client.close();
    expect(problems.list()).toEqual([]);
  });
});
