import { describe, expect, test } from 'vitest';
import { tickToleranceMs } from '../../../../../agent/platform/clock.js';
import { confirmationGapMs, planProbing } from '../../../../../agent/probing/schedule/plan.js';
import { ProtocolScheduler } from '../../../../../agent/probing/schedule/protocol-scheduler.js';
import type { Path } from '../../../../../agent/model/path.js';
import { protocols, type Protocol, type Sample } from '../../../../../agent/model/sample.js';
import { ExpectedPaths } from '../../../../../agent/peers/expected-paths.js';
import { NodeDirectory } from '../../../../../agent/peers/node-directory.js';
import { Scheduler } from '../../../../../agent/probing/schedule/scheduler.js';
import { makeStore } from '../../../../rows/make-store.js';
import { FakeClock } from '../fake-clock.js';

const timeoutMs = 500;
const intervalMs = 10_000;

interface Sent {
  readonly protocol: Protocol;
  readonly ip: string;
  readonly atMs: number;
}

/** A network in which some addresses answer after a millisecond and others never do. */
function createMesh(ips: readonly string[], more: object = {}) {
  const host = { isOverloaded: false };
  const clock = new FakeClock();
  const startMs = clock.nowMs();
  const dead = new Set<string>();
  const refusing = new Set<string>();
  const stalled = new Set<string>();
  const unsendable = new Set<string>();
  const sent: Sent[] = [];
  const cancelled: string[] = [];
  const cadence = {
    intervalMs,
    timeoutMs,
    budgetPerSecond: 250,
    failureThreshold: 3,
    recoveryThreshold: 2,
    ...more,
  };
  const thresholds = { failures: cadence.failureThreshold, recovery: cadence.recoveryThreshold };
  const store = makeStore({ each: thresholds, clock });
  const createProtocolScheduler = (protocol: Protocol) =>
    new ProtocolScheduler({
      prober: {
        probe({ ip }, deadlineMs, settle) {
          const sentMs = clock.nowMs();
          sent.push({ protocol, ip, atMs: sentMs - startMs });
          const tainted = stalled.has(ip);
          const fails = dead.has(ip) || refusing.has(ip) || tainted;
          const stop = clock.after(dead.has(ip) ? deadlineMs : 1, () => {
            const at = clock.nowMs();
            if (unsendable.has(ip))
              settle({ outcome: 'not-sent', reason: 'no-buffer', sentMs, at, detail: 'ENOBUFS' });
            else if (fails)
              settle({ outcome: 'failure', kind: 'refused', sentMs, at, detail: 'lost', tainted });
            else settle({ outcome: 'reply', sentMs, at, rttNs: 1e6 });
          });
          return () => {
            cancelled.push(ip);
            stop();
          };
        },
        close: () => undefined,
      },
      cadence,
      grouping: { shortestMs: 5 },
      clock,
      isOverloaded: () => host.isOverloaded,
      zoneOf: (node) => node.split('.')[0],
      random: () => 0.5,
      record: (path, sample: Sample) => store.record(path, protocol, sample),
    });
  const directory = new NodeDirectory();
  const scheduler = new Scheduler(
    { icmp: createProtocolScheduler('icmp'), http: createProtocolScheduler('http') },
    { clock, expected: new ExpectedPaths(directory, 'c/local') },
  );
  const paths = new Map<string, Path>();
  const list = (listed: readonly string[]) => {
    const nodes = listed.map((ip) => ({ name: `c/${ip}`, host: [ip], endpoint: [] }));
    const changes = store.setNodes(nodes);
    directory.update(nodes, changes, clock.nowMs());
    for (const path of changes.added) paths.set(path.ip, path);
    scheduler.update(changes);
  };
  /** Looks at a path as at a hint. */
  const probeSoon = (ip: string, protocol: Protocol) => {
    const path = paths.get(ip);
    if (!path) throw new Error(`no path to ${ip}`);
    scheduler.probeSoon(path, protocol);
  };
  list(ips);
  const judgement = (ip: string, protocol: Protocol = 'icmp') =>
    store.snapshot().nodes.find(({ name }) => name === `c/${ip}`)?.host[0]?.[protocol].state;
  const sentBy = (protocol: Protocol) => sent.filter((probe) => probe.protocol === protocol);
  /** Advances until the echoes of a path give it another state. */
  const changes = async (ip: string) => {
    const before = judgement(ip)?.state;
    while (judgement(ip)?.state === before) await clock.advance(1);
  };
  /** Nothing answers any more, until the path is judged unreachable. */
  const dies = async (ip: string) => {
    dead.add(ip);
    while (judgement(ip)?.state !== 'unreachable') await clock.advance(10);
  };
  return {
    clock,
    host,
    dead,
    refusing,
    stalled,
    unsendable,
    sent,
    sentBy,
    cancelled,
    cadence,
    scheduler,
    list,
    probeSoon,
    judgement,
    changes,
    dies,
  };
}

const gapMs = confirmationGapMs - tickToleranceMs;

describe('ProtocolScheduler', () => {
  test('reaches the verdict two gaps and one timeout after the first unanswered probe', async () => {
    const { clock, dead, sentBy, judgement, changes } = createMesh(['a']);
    await clock.advance(100);
    expect(judgement('a')?.state).toBe('reachable');
    dead.add('a');
    const before = sentBy('icmp').length;
    await changes('a');
    const [first = 0, second = 0, third = 0, ...more] = sentBy('icmp')
      .slice(before)
      .map(({ atMs }) => atMs);
    expect(second - first).toBeCloseTo(gapMs, 3);
    expect(third - second).toBeCloseTo(gapMs, 3);
    expect(more).toEqual([]);
    expect(clock.nowMs() - 1000 - first).toBeLessThanOrEqual(timeoutMs + 2 * 200 + 2);
  });

  test('holds the time to detect that its plan states, whenever the path dies', async () => {
    for (const aliveMs of [100, 3777, 5001, 9900]) {
      const { clock, scheduler, dies } = createMesh(['a', 'b', 'c']);
      await clock.advance(aliveMs);
      const diedMs = clock.nowMs();
      await dies('a');
      const planMs = scheduler.plan().icmp?.timeToDetectMs ?? 0;
      expect(clock.nowMs() - diedMs).toBeLessThanOrEqual(planMs);
    }
  });

  test('makes the other protocol probe at once, so that both agree within the confirmation', async () => {
    const { clock, dead, judgement } = createMesh(['a', 'b']);
    await clock.advance(100);
    dead.add('a');
    const states = () => protocols.map((protocol) => judgement('a', protocol)?.state);
    while (!states().includes('unreachable')) await clock.advance(10);
    await clock.advance(timeoutMs + 2 * 200);
    expect(states()).toEqual(['unreachable', 'unreachable']);
    dead.delete('a');
    while (!states().includes('reachable')) await clock.advance(10);
    await clock.advance(2 * 200 + 50);
    expect(states()).toEqual(['reachable', 'reachable']);
  });

  test('makes a path reachable with the second answer in a row, one gap after the first', async () => {
    const { clock, dead, sentBy, changes, dies } = createMesh(['a']);
    await dies('a');
    await clock.advance(2000);
    dead.delete('a');
    const before = sentBy('icmp').length;
    await changes('a');
    const [first = 0, second = 0, ...more] = sentBy('icmp')
      .slice(before)
      .map(({ atMs }) => atMs);
    expect(second - first).toBeCloseTo(gapMs, 3);
    expect(more).toEqual([]);
  });

  test('stops confirming when a probe is answered, and counts no failure', async () => {
    const { clock, refusing, sentBy, judgement } = createMesh(['a']);
    await clock.advance(100);
    refusing.add('a');
    while (judgement('a')?.failures === 0) await clock.advance(1);
    refusing.delete('a');
    const before = sentBy('icmp').length;
    await clock.advance(2000);
    expect(sentBy('icmp').length - before).toBeGreaterThanOrEqual(1);
    expect(sentBy('icmp').length - before).toBeLessThanOrEqual(2);
    expect(judgement('a')).toMatchObject({ state: 'reachable', failures: 0 });
  });

  test('sends none of a long confirmation that an answer has ended', async () => {
    const { clock, dead, sentBy } = createMesh(['a'], { failureThreshold: 10 });
    await clock.advance(100);
    dead.add('a');
    const before = sentBy('icmp').length;
    while (sentBy('icmp').length === before) await clock.advance(1);
    dead.delete('a');
    await clock.advance(intervalMs / 2);
    expect(sentBy('icmp').length - before).toBe(2);
  });

  test('does not confirm a recovery if one answer is enough', async () => {
    const { clock, dead, sentBy, changes, dies } = createMesh(['a'], { recoveryThreshold: 1 });
    await dies('a');
    await clock.advance(2000);
    dead.delete('a');
    const before = sentBy('icmp').length;
    await changes('a');
    await clock.advance(1000);
    expect(sentBy('icmp').length - before).toBe(1);
  });

  test.each([
    { failureThreshold: 1, intervalMs: 1000, budgetPerSecond: 50 },
    { failureThreshold: 5, intervalMs: 1000, budgetPerSecond: 50 },
    { failureThreshold: 5, intervalMs: 1000, budgetPerSecond: 10 },
    { failureThreshold: 10, intervalMs: 1000, budgetPerSecond: 50 },
    { failureThreshold: 3, intervalMs: 50, budgetPerSecond: 50 },
    { failureThreshold: 3, intervalMs: 50, budgetPerSecond: 1 },
    { failureThreshold: 3, intervalMs: 1000, budgetPerSecond: 50, timeoutMs: 5000 },
    { failureThreshold: 3, intervalMs: 1000, budgetPerSecond: 50, timeoutMs: 50 },
  ])('holds the plan of %o when a third of all paths die at once', async (cadence) => {
    const ips = Array.from({ length: 60 }, (_, i) => `10.0.0.${i}`);
    const { clock, dead, scheduler, judgement } = createMesh(ips, cadence);
    await clock.advance(5000);
    const dying = ips.filter((_, i) => i % 3 === 0);
    for (const ip of dying) dead.add(ip);
    await clock.advance(scheduler.plan().icmp?.timeToDetectMs ?? 0);
    for (const ip of dying) {
      expect(judgement(ip, 'icmp')?.state).toBe('unreachable');
      expect(judgement(ip, 'http')?.state).toBe('unreachable');
    }
  });

  test('does not count tainted failures, but probes again', async () => {
    const { clock, stalled, sentBy, judgement } = createMesh(['a']);
    await clock.advance(100);
    stalled.add('a');
    const before = sentBy('icmp').length;
    while (sentBy('icmp').length < before + 3) await clock.advance(10);
    expect(judgement('a')).toMatchObject({ state: 'reachable', failures: 0 });
    stalled.delete('a');
    await clock.advance(intervalMs);
    expect(judgement('a')).toMatchObject({ state: 'reachable', failures: 0 });
  });

  test.each([1, 2, 3])('replaces tainted probe %i of a verdict at once', async (nth) => {
    const { clock, dead, stalled, sentBy, judgement } = createMesh(['a']);
    await clock.advance(100);
    dead.add('a');
    const before = sentBy('icmp').length;
    while (sentBy('icmp').length < before + nth - 1) await clock.advance(1);
    stalled.add('a');
    while (sentBy('icmp').length < before + nth) await clock.advance(1);
    stalled.delete('a');
    await clock.advance(2 * timeoutMs + 4 * 200);
    expect(judgement('a')).toMatchObject({ state: 'unreachable', failures: 3 });
    expect(sentBy('icmp').length - before).toBe(4);
  });

  test('sends a reachable path nothing but its steady probes while the host is overloaded', async () => {
    const { clock, host, dead, stalled, sentBy, probeSoon, judgement } = createMesh(['a', 'b']);
    await clock.advance(100);
    host.isOverloaded = true;
    stalled.add('a');
    dead.add('b');
    const before = sentBy('http').length;
    await clock.advance(2 * intervalMs);
    probeSoon('a', 'http');
    expect(sentBy('http').length - before).toBe(4);
    await clock.advance(intervalMs + timeoutMs);
    expect(judgement('b', 'http')?.state).toBe('unreachable');
  });

  test('confirms what is not known yet, and recoveries, while the host is overloaded', async () => {
    const { clock, host, dead, list, judgement } = createMesh(['a']);
    await clock.advance(100);
    host.isOverloaded = true;
    dead.add('b');
    list(['a', 'b']);
    await clock.advance(2 * gapMs + timeoutMs + 10);
    expect(judgement('b')?.state).toBe('unreachable');
    dead.delete('b');
    await clock.advance(intervalMs + gapMs);
    expect(judgement('b')?.state).toBe('reachable');
  });

  test('keeps confirmations to their budget, and delays no verdict past the steady round', async () => {
    const ips = Array.from({ length: 100 }, (_, i) => `10.0.0.${i}`);
    const { clock, dead, sent, scheduler, judgement } = createMesh(ips, {
      intervalMs: 1000,
      budgetPerSecond: 50,
    });
    await clock.advance(10_000);
    for (const ip of ips.slice(0, 33)) dead.add(ip);
    const diedMs = clock.nowMs();
    const planMs = scheduler.plan().icmp?.timeToDetectMs ?? 0;
    const before = sent.length;
    await clock.advance(planMs);
    const bothSchedulers = 2 * (50 + 50) * ((clock.nowMs() - diedMs) / 1000);
    expect(sent.length - before).toBeLessThanOrEqual(bothSchedulers + 10);
    for (const ip of ips.slice(0, 33)) expect(judgement(ip)?.state).toBe('unreachable');
  });

  test('looks at a node of another zone while hundreds of one zone wait', async () => {
    const cutOff = Array.from({ length: 300 }, (_, i) => `a.${i}`);
    const { clock, dead, sentBy, probeSoon, judgement } = createMesh([...cutOff, 'b.1'], {
      intervalMs: 600_000,
      budgetPerSecond: 10,
    });
    await clock.advance(30_000);
    for (const ip of [...cutOff, 'b.1']) dead.add(ip);
    for (const ip of cutOff) probeSoon(ip, 'icmp');
    for (const ip of cutOff) probeSoon(ip, 'http');
    await clock.advance(5000);
    const before = sentBy('http').length;
    probeSoon('b.1', 'http');
    await clock.advance(1000);
    expect(
      sentBy('http')
        .slice(before)
        .map(({ ip }) => ip),
    ).toContain('b.1');
    await clock.advance(2 * gapMs + timeoutMs + 100);
    expect(judgement('b.1', 'http')?.state).toBe('unreachable');
    expect(
      cutOff.filter((ip) => judgement(ip, 'http')?.state === 'reachable').length,
    ).toBeGreaterThan(200);
  });

  test('a look that a check comes before takes no turn from other looks', async () => {
    const waiting = Array.from({ length: 20 }, (_, i) => `a.${i}`);
    const { clock, dead, sentBy, probeSoon } = createMesh([...waiting, 'a.last'], {
      intervalMs: 600_000,
      budgetPerSecond: 10,
    });
    await clock.advance(30_000);
    // Looks at 3.3 nodes a second by each protocol, and echoes that fail make the GETs there checks.
    for (const ip of waiting) dead.add(ip);
    for (const ip of [...waiting].reverse()) probeSoon(ip, 'icmp');
    for (const ip of [...waiting, 'a.last']) probeSoon(ip, 'http');
    const [before, startMs] = [sentBy('http').length, clock.nowMs()];
    const isSent = () => sentBy('http').some(({ ip }, at) => at >= before && ip === 'a.last');
    while (!isSent()) await clock.advance(10);
    expect(clock.nowMs() - startMs).toBeLessThan(4500);
  });

  test('does not confirm again what is already unreachable', async () => {
    const { clock, sentBy, dies } = createMesh(['a']);
    await dies('a');
    await clock.advance(1000);
    const before = sentBy('icmp').length;
    await clock.advance(3 * intervalMs);
    expect(sentBy('icmp').length - before).toBe(3);
  });

  test('cancels the probes of a removed path and probes a new path at once', async () => {
    const { clock, dead, sent, cancelled, list } = createMesh([]);
    dead.add('a');
    list(['a']);
    await clock.advance(10);
    list(['b']);
    expect(cancelled).toContain('a');
    await clock.advance(10);
    expect(sent.at(-1)?.ip).toBe('b');
    const before = sent.length;
    await clock.advance(1500);
    expect(sent.slice(before).filter(({ ip }) => ip === 'a')).toEqual([]);
  });

  test('leaves out new paths that are removed before their first probe, and probes the others once', async () => {
    const ips = Array.from({ length: 200 }, (_, i) => `10.0.0.${i}`);
    const { clock, sent, list } = createMesh(ips);
    const gone = new Set(ips.slice(120, 140));
    expect(sent.some(({ ip }) => gone.has(ip))).toBe(false);
    list(ips.filter((ip) => !gone.has(ip)));
    await clock.advance(intervalMs / 2);
    const probed = sent.map(({ ip }) => ip);
    expect(probed.filter((ip) => gone.has(ip))).toEqual([]);
    expect([...new Set(probed)].sort()).toEqual(ips.filter((ip) => !gone.has(ip)).sort());
    list([...ips, 'late']);
    await clock.advance(intervalMs / 2);
    for (const ip of [...gone, 'late']) expect(sent.map((one) => one.ip)).toContain(ip);
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
    expect(sent.length - before).toBe(4);
    const again = scheduler.sweep();
    await clock.advance(100);
    await again;
    expect(sent.length - before).toBe(8);
  });

  test('fails a sweep that a stop interrupts, and leaves no timer behind', async () => {
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

describe('the stats of a protocol scheduler', () => {
  test('are overdue only when a sample is later than its deadline', async () => {
    const { clock, dead, scheduler, list } = createMesh(['a', 'b']);
    dead.add('a');
    for (let s = 0; s < 60; s++) {
      await clock.advance(1000);
      expect(scheduler.stats()).toMatchObject([
        { protocol: 'icmp', overdueMs: 0 },
        { protocol: 'http', overdueMs: 0 },
      ]);
    }
    clock.stall(60_000);
    const overdueMs = scheduler.stats()[0]?.overdueMs ?? 0;
    expect(overdueMs).toBeGreaterThan(60_000 - intervalMs - timeoutMs);
    scheduler.extendDeadlines(60_000);
    expect(scheduler.stats()[0]?.overdueMs).toBe(0);
    list([]);
    await clock.advance(100 * intervalMs);
    expect(scheduler.stats()[0]?.overdueMs).toBe(0);
    list(['c']);
    expect(scheduler.stats()[0]?.overdueMs).toBe(0);
  });

  test('say how many paths were probed, with any result', async () => {
    const { clock, dead, unsendable, scheduler, list } = createMesh([]);
    dead.add('a');
    unsendable.add('b');
    list(['a', 'b', 'c']);
    expect(scheduler.stats()).toMatchObject([{ paths: 3, probed: 0 }, { paths: 3 }]);
    await clock.advance(100);
    expect(scheduler.stats()).toMatchObject([{ paths: 3, probed: 2 }, { probed: 2 }]);
    await clock.advance(timeoutMs);
    expect(scheduler.stats()).toMatchObject([{ paths: 3, probed: 3 }, { probed: 3 }]);
    list(['a', 'd']);
    expect(scheduler.stats()).toMatchObject([{ paths: 2, probed: 1 }, { paths: 2 }]);
  });

  test('count the probes in a row that could not be sent, until one could', async () => {
    const { clock, unsendable, scheduler } = createMesh(['a']);
    unsendable.add('a');
    await clock.advance(3 * intervalMs);
    const [stats] = scheduler.stats();
    expect(stats).toMatchObject({ notSent: 'ENOBUFS' });
    expect(stats?.notSentInARow).toBeGreaterThan(1);
    unsendable.delete('a');
    await clock.advance(2 * intervalMs);
    expect(scheduler.stats()[0]).toMatchObject({ notSentInARow: 0, notSent: undefined });
  });
});

describe('planProbing', () => {
  const cadence = {
    intervalMs: 1000,
    budgetPerSecond: 1000,
    timeoutMs: 1000,
    failureThreshold: 3,
    recoveryThreshold: 2,
  };
  const http = { ...cadence, intervalMs: 5000, budgetPerSecond: 150 };

  test.each([
    [200, 1000, 5000],
    [2000, 2000, 13_400],
    [10_000, 10_000, 66_700],
  ])('stretches %i paths to the budgets, in steps of 100 ms', (paths, icmpMs, httpMs) => {
    expect(planProbing(cadence, paths).intervalMs).toBe(icmpMs);
    expect(planProbing(http, paths).intervalMs).toBe(httpMs);
  });

  test('detects within the interval, the gaps and one timeout', () => {
    expect(planProbing(cadence, 200).timeToDetectMs).toBe(1000 + 2 * 200 + 1000 + 100);
    expect(planProbing({ ...cadence, failureThreshold: 1 }, 200).timeToDetectMs).toBe(2100);
  });
});
