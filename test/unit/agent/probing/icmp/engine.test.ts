import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openIcmpEngine } from '../../../../../agent/probing/icmp/engine.js';

const ask = () => new AbortController().signal;

describe.each(['kernel', 'net-ping'] as const)('the %s engine', async (name) => {
  const engine = await openIcmpEngine(name);
  const prober = 'prober' in engine ? engine.prober : undefined;
  afterAll(() => prober?.close());
  beforeEach(({ skip }) => {
    if ('unavailable' in engine) skip(engine.unavailable);
  });

  test('times an echo to loopback in nanoseconds', async () => {
    const sample = await prober?.probe('127.0.0.1', 2000, ask());
    expect(sample).toMatchObject({ outcome: 'reply' });
    expect(sample?.outcome === 'reply' && sample.rttNs).toBeGreaterThan(100);
    expect(sample?.outcome === 'reply' && sample.rttNs % 1_000_000).not.toBe(0);
  });

  test('times an echo over IPv6', async () => {
    expect(await prober?.probe('::1', 2000, ask())).toMatchObject({ outcome: 'reply' });
  });

  test('gives each of five hundred addresses its own reply', async () => {
    const ips = Array.from({ length: 500 }, (_, i) => `127.3.${i >> 8}.${i & 255}`);
    const samples = await Promise.all(ips.map(async (ip) => prober?.probe(ip, 2000, ask())));
    expect(samples.filter((sample) => sample?.outcome === 'reply')).toHaveLength(500);
  });

  test('lets go at once when it is cancelled', async () => {
    const abort = new AbortController();
    const sample = prober?.probe('127.0.0.1', 60_000, abort.signal);
    abort.abort();
    expect((await sample)?.outcome).toBe('not-sent');
  });

  test('sends nothing more once it is closed', async () => {
    const other = await openIcmpEngine(name);
    if (!('prober' in other)) throw new Error(other.unavailable);
    other.prober.close();
    expect((await other.prober.probe('127.0.0.1', 100, ask())).outcome).toBe('not-sent');
  });
});

test('an engine that is switched off says so', async () => {
  expect(await openIcmpEngine('off')).toEqual({
    unavailable: 'ICMP is switched off (icmp-engine)',
  });
});

test('auto takes the kernel engine wherever that opens', async () => {
  const [auto, kernel] = [await openIcmpEngine('auto'), await openIcmpEngine('kernel')];
  expect('name' in auto && auto.name === 'kernel').toBe('name' in kernel);
  for (const engine of [auto, kernel]) if ('prober' in engine) engine.prober.close();
});
