import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openIcmpEngine } from '../../../../../agent/probing/icmp/engine.js';

const engine = await openIcmpEngine('net-ping');
const prober = 'prober' in engine ? engine.prober : undefined;
const signal = new AbortController().signal;
afterAll(() => prober?.close());

describe('the net-ping engine', () => {
  beforeEach(({ skip }) => {
    if ('unavailable' in engine) skip(engine.unavailable);
  });

  test('times an echo to loopback in nanoseconds', async () => {
    const sample = await prober?.probe('127.0.0.1', 2000, signal);
    expect(sample).toMatchObject({ outcome: 'reply' });
    expect(sample?.outcome === 'reply' && sample.rttNs).toBeGreaterThan(100);
    expect(sample?.outcome === 'reply' && sample.rttNs % 1_000_000).not.toBe(0);
  });

  test('times an echo over IPv6', async () => {
    expect(await prober?.probe('::1', 2000, signal)).toMatchObject({ outcome: 'reply' });
  });

  test('gives each of a hundred addresses its own reply', async () => {
    const ips = Array.from({ length: 100 }, (_, i) => `127.0.3.${i + 1}`);
    const samples = await Promise.all(ips.map(async (ip) => prober?.probe(ip, 2000, signal)));
    expect(samples.filter((sample) => sample?.outcome === 'reply')).toHaveLength(100);
  });

  test('lets go at once when it is cancelled', async () => {
    const abort = new AbortController();
    const sample = prober?.probe('127.0.0.1', 60_000, abort.signal);
    abort.abort();
    expect((await sample)?.outcome).toBe('not-sent');
  });

  test('sends nothing more once it is closed', async () => {
    const other = await openIcmpEngine('net-ping');
    if (!('prober' in other)) throw new Error(other.unavailable);
    other.prober.close();
    expect((await other.prober.probe('127.0.0.1', 100, signal)).outcome).toBe('not-sent');
  });
});

test('an engine that is switched off says so', async () => {
  expect(await openIcmpEngine('off')).toEqual({
    unavailable: 'ICMP is switched off (icmp-engine)',
  });
});
