import { describe, expect, test } from 'vitest';
import { Lane } from '../../../../agent/probing/lane.js';
import type { Sample } from '../../../../agent/probing/sample.js';
import { Scheduler } from '../../../../agent/probing/scheduler.js';
import { ResultStore } from '../../../../agent/results/result-store.js';
import { FakeClock } from './fake-clock.js';

const timeoutMs = 500;
const intervalMs = 10_000;

/** A network in which some addresses answer after a millisecond and some never do. */
function createMesh(ips: readonly string[]) {
  const clock = new FakeClock();
  const startMs = clock.nowMs();
  const dead = new Set<string>();
  const refusing = new Set<string>();
  const sent: { readonly ip: string; readonly atMs: number }[] = [];
  const aborted: string[] = [];
  const store = new ResultStore({ thresholds: { icmp: 3, http: 3 }, now: () => clock.nowMs() });
  const lane = new Lane({
    prober: {
      probe: (ip, deadlineMs, signal) =>
        new Promise<Sample>((resolve) => {
          const sentMs = clock.nowMs();
          sent.push({ ip, atMs: sentMs - startMs });
          const fails = dead.has(ip) || refusing.has(ip);
          signal.addEventListener('abort', () => aborted.push(ip));
          clock.after(dead.has(ip) ? deadlineMs : 1, () => {
            const at = clock.nowMs();
            if (fails) resolve({ outcome: 'failure', sentMs, at, detail: 'lost' });
            else resolve({ outcome: 'reply', sentMs, at, rttNs: 1e6 });
          });
        }),
      close: () => undefined,
    },
    intervalMs,
    timeoutMs,
    failureThreshold: 3,
    errandsPerSecond: 1000,
    clock,
    random: () => 0.5,
    record: (path, sample) => store.record(path, 'icmp', sample),
  });
  const scheduler = new Scheduler([lane]);
  const list = (listed: readonly string[]) =>
    scheduler.change(
      store.setNodes(listed.map((ip) => ({ name: `c/${ip}`, host: [ip], endpoint: [] }))),
    );
  list(ips);
  const judgement = (ip: string) =>
    store.snapshot().nodes.find(({ name }) => name === `c/${ip}`)?.host[0]?.icmp;
  return { clock, dead, refusing, sent, aborted, scheduler, list, judgement };
}

describe('Lane', () => {
  test('reaches the verdict one timeout and two gaps after the first failure', async () => {
    const { clock, dead, sent, judgement } = createMesh(['a']);
    await clock.advance(100);
    expect(judgement('a')?.state).toBe('reachable');
    dead.add('a');
    const before = sent.length;
    while (judgement('a')?.failures === 0) await clock.advance(1);
    const firstFailureMs = clock.nowMs();
    while (judgement('a')?.state === 'reachable') await clock.advance(1);
    expect(clock.nowMs() - firstFailureMs).toBeLessThanOrEqual(timeoutMs + 2 * 200 + 2);
    const [first, second, third] = sent.slice(before).map(({ atMs }) => atMs);
    expect((second ?? 0) - (first ?? 0)).toBeCloseTo(timeoutMs + 200, 3);
    expect((third ?? 0) - (second ?? 0)).toBeCloseTo(200, 3);
  });

  test('stops confirming when a probe is answered, and counts no failure', async () => {
    const { clock, refusing, sent, judgement } = createMesh(['a']);
    await clock.advance(100);
    refusing.add('a');
    while (judgement('a')?.failures === 0) await clock.advance(1);
    refusing.delete('a');
    const before = sent.length;
    await clock.advance(1000);
    expect(sent.length - before).toBe(1);
    expect(judgement('a')).toMatchObject({ state: 'reachable', failures: 0 });
  });

  test('does not confirm again what is already unreachable', async () => {
    const { clock, dead, sent, judgement } = createMesh(['a']);
    dead.add('a');
    await clock.advance(2000);
    expect(judgement('a')?.state).toBe('unreachable');
    const before = sent.length;
    await clock.advance(3 * intervalMs);
    expect(sent.length - before).toBe(3);
  });

  test('cancels what is under way to a removed path and probes a new one at once', async () => {
    const { clock, dead, sent, aborted, list } = createMesh(['a']);
    dead.add('a');
    await clock.advance(10);
    list(['b']);
    expect(aborted).toContain('a');
    await clock.advance(10);
    expect(sent.at(-1)?.ip).toBe('b');
    const before = sent.length;
    await clock.advance(1500);
    expect(sent.slice(before).filter(({ ip }) => ip === 'a')).toEqual([]);
  });

  test('sweeps all dead paths together in one timeout and two gaps', async () => {
    const ips = Array.from({ length: 30 }, (_, i) => `10.0.0.${i}`);
    const { clock, dead, scheduler, judgement } = createMesh(ips);
    await clock.advance(1000);
    for (const ip of ips.slice(0, 10)) dead.add(ip);
    const startMs = clock.nowMs();
    let endMs: number | undefined;
    const swept = scheduler.sweep().then(() => (endMs = clock.nowMs()));
    await clock.advance(2000);
    await swept;
    expect((endMs ?? Infinity) - startMs).toBeLessThanOrEqual(timeoutMs + 2 * 200 + 50);
    for (const ip of ips.slice(0, 10)) expect(judgement(ip)?.state).toBe('unreachable');
    for (const ip of ips.slice(10)) expect(judgement(ip)?.state).toBe('reachable');
  });

  test('shares one sweep among callers, and a later caller gets a new one', async () => {
    const { clock, sent, scheduler } = createMesh(['a', 'b']);
    await clock.advance(100);
    const before = sent.length;
    const sweeps = Promise.all([scheduler.sweep(), scheduler.sweep(), scheduler.sweep()]);
    await clock.advance(100);
    await sweeps;
    expect(sent.length - before).toBe(2);
    const again = scheduler.sweep();
    await clock.advance(100);
    await again;
    expect(sent.length - before).toBe(4);
  });

  test('fails a sweep that a stop cuts short, and leaves no timer behind', async () => {
    const { clock, dead, scheduler } = createMesh(['a']);
    dead.add('a');
    const sweep = scheduler.sweep();
    await clock.advance(10);
    scheduler.stop();
    await expect(sweep).rejects.toThrow('the agent is stopping');
    await clock.advance(timeoutMs);
    expect(clock.pendingTimers).toBe(0);
  });
});
