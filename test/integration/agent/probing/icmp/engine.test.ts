import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { monitorEventLoop } from '../../../../../agent/platform/event-loop.js';
import { openIcmpEngine } from '../../../../../agent/probing/icmp/engine.js';
import type { Sample } from '../../../../../agent/model/sample.js';
import { pathTo } from '../path-to.js';

const eventLoop = monitorEventLoop();

describe.each(['kernel', 'net-ping'] as const)('the %s engine', async (name) => {
  const engine = await openIcmpEngine(name, eventLoop);
  const prober = 'prober' in engine ? engine.prober : undefined;
  const probe = (ip: string, timeoutMs = 2000) =>
    new Promise<Sample>((resolve) => prober?.probe(pathTo(ip), timeoutMs, resolve));
  afterAll(() => prober?.close());
  beforeEach(({ skip }) => {
    if ('unavailable' in engine) skip(engine.unavailable);
  });

  test('times an echo to loopback in nanoseconds', async () => {
    const sample = await probe('127.0.0.1');
    expect(sample).toMatchObject({ outcome: 'reply' });
    expect(sample.outcome === 'reply' && sample.rttNs).toBeGreaterThan(100);
    expect(sample.outcome === 'reply' && sample.rttNs % 1_000_000).not.toBe(0);
  });

  test('times an echo over IPv6', async () => {
    expect(await probe('::1')).toMatchObject({ outcome: 'reply' });
  });

  test('gives each of five hundred addresses its own reply, and counts them', async () => {
    const before = prober?.counts();
    const ips = Array.from({ length: 500 }, (_, i) => `127.3.${i >> 8}.${i & 255}`);
    const samples = await Promise.all(ips.map((ip) => probe(ip)));
    expect(samples.filter((sample) => sample.outcome === 'reply')).toHaveLength(500);
    const after = prober?.counts();
    expect((after?.sent ?? 0) - (before?.sent ?? 0)).toBe(500);
    expect((after?.answered ?? 0) - (before?.answered ?? 0)).toBe(500);
    expect(after).toMatchObject({ late: 0, duplicate: 0, foreign: 0 });
  });

  test('reports nothing for a cancelled probe, and counts its answer as late', async () => {
    const settled: Sample[] = [];
    prober?.probe(pathTo('127.0.0.1'), 60_000, (sample) => settled.push(sample))();
    await probe('127.0.0.1');
    await probe('127.0.0.1');
    expect(settled).toEqual([]);
    expect(prober?.counts().late).toBe(1);
  });

  test('reads the replies that came during a stall before it gives up any probe', async () => {
    const sample = probe('127.0.0.1', 50);
    const untilMs = performance.now() + 200;
    while (performance.now() < untilMs);
    expect((await sample).outcome).toBe('reply');
  });

  test('sends nothing after it is closed', async () => {
    const other = await openIcmpEngine(name, eventLoop);
    if (!('prober' in other)) throw new Error(other.unavailable);
    other.prober.close();
    const before = other.prober.counts().sent;
    other.prober.probe(pathTo('127.0.0.1'), 100, () => expect.unreachable());
    expect(other.prober.counts().sent).toBe(before);
  });
});

test('an engine that is switched off says so', async () => {
  expect(await openIcmpEngine('off', eventLoop)).toEqual({
    unavailable: 'ICMP is switched off (icmp-engine)',
    brief: 'switched off',
  });
});

test('auto takes the kernel engine if that opens', async () => {
  const auto = await openIcmpEngine('auto', eventLoop);
  const kernel = await openIcmpEngine('kernel', eventLoop);
  expect('name' in auto && auto.name === 'kernel').toBe('name' in kernel);
  for (const engine of [auto, kernel]) if ('prober' in engine) engine.prober.close();
});
