import { describe, expect, test } from 'vitest';
import { tickToleranceMs } from '../../../../agent/platform/clock.js';
import type { Plane } from '../../../../agent/model/path.js';
import { timeout } from '../../../../agent/model/sample.js';
import { rowServersOf, tailNs, type Target } from '../../../../agent/model/target.js';
import { parseTargets } from '../../../../agent/targets/definition/parse-targets.js';
import { TargetMonitor } from '../../../../agent/targets/target-monitor.js';
import type { TargetTransition } from '../../../../agent/targets/target-results.js';
import { FakeClock } from '../probing/fake-clock.js';
import { FakeServer, tcpTarget } from './lib/fake-target.js';

/** A monitor of these targets. The server of all of them is well at first. */
function createMonitor({
  plane = 'host',
  targets = [tcpTarget('database')],
  nodes = 1,
}: { plane?: Plane; targets?: readonly Target[]; nodes?: number } = {}) {
  const clock = new FakeClock();
  const server = new FakeServer(clock);
  const notSent: (readonly [target: string, reason: string | undefined])[] = [];
  const monitor = new TargetMonitor({
    onNotSent: (...told) => notSent.push(told),
    plane,
    clock,
    budgetPerSecond: 50,
    createProber: server.createProber,
    random: () => 0.5,
  });
  const transitions: TargetTransition[] = [];
  monitor.onTransition((transition) => transitions.push(transition));
  const row = (name = 'database') => monitor.get(name)?.row();
  const view = () => monitor.get('database')?.view();
  monitor.setTargets(targets);
  if (nodes > 0) monitor.setNodes(nodes, 'c/n1');
  return { clock, server, monitor, transitions, row, view, notSent };
}

test('a list without a node keeps the rate: as many agents may have got it', async () => {
  const { clock, server, monitor } = createMonitor({ nodes: 5000 });
  const hour = 3_600_000;
  await clock.advance(2 * hour);
  const before = server.sentMs.length;
  monitor.setNodes(0, 'c/n1');
  await clock.advance(2 * hour);
  expect(server.sentMs.length - before).toBeLessThanOrEqual(before + 1);
});

/** An outcome that says nothing of the target: this host was late. */
const late = { ...timeout, detail: 'late', tainted: true };

describe('the monitor of targets', () => {
  test('probes nothing before the number of nodes is known', async () => {
    const { clock, server, row } = createMonitor({ nodes: 0 });
    await clock.advance(60_000);
    expect(server.sentMs).toEqual([]);
    expect(row()).toMatchObject({ state: 'unknown', plane: 'host', digest: 7 });
  });

  test('probes once an interval, the first time within what the budget allows', async () => {
    const { clock, server, row } = createMonitor();
    await clock.advance(500);
    expect(server.sentMs).toHaveLength(1);
    await clock.advance(50_000);
    expect(server.sentMs).toHaveLength(11);
    expect(row()).toMatchObject({ state: 'reachable', p50Ns: 1e6, p99Ns: 1e6 });
    expect(row()?.probedSeconds).toBeLessThanOrEqual(5);
  });

  test('tells the 99th percentile of the last hour once a hundred probes were answered', async () => {
    const { clock, server, row, view } = createMonitor();
    const rtts = () => view()?.rtts;
    const answerIn = async (rttNs: number, probes: number) => {
      server.outcome = { outcome: 'reply', rttNs };
      server.sentMs.length = 0;
      while (server.sentMs.length < probes) await clock.advance(100);
    };
    await answerIn(9e6, 2);
    await answerIn(1e6, 90);
    expect(rtts()).toMatchObject({ p50: 1e6, p95: 1e6, max: 1e6 });
    expect(rtts()?.p99).toBeUndefined();
    const few = row();
    expect(few && tailNs(few)).toBeUndefined();
    await answerIn(1e6, 60);
    expect((rtts()?.p99 ?? NaN) / 9e6).toBeCloseTo(1, 1);
    const told = row();
    expect(((told && tailNs(told)) ?? NaN) / 9e6).toBeCloseTo(1, 1);
    // Older agents refuse a row in which it is below the median.
    expect(few?.p99Ns).toBe(few?.p50Ns);
  });

  test('stretches the interval when nodes come, and spreads what is overdue when they go', async () => {
    const { clock, server, monitor } = createMonitor();
    await clock.advance(6000);
    expect(server.sentMs).toHaveLength(2);
    monitor.setNodes(5000, 'c/n1');
    await clock.advance(1_000_000);
    expect(server.sentMs).toHaveLength(2);
    monitor.setNodes(12, 'c/n1');
    await clock.advance(5000);
    expect(server.sentMs).toHaveLength(3);
  });

  test('confirms a failure and a recovery, half a second between two probes where few look', async () => {
    const { clock, server, transitions, row } = createMonitor();
    await clock.advance(5500);
    server.isSilent = true;
    const before = server.sentMs.length;
    await clock.advance(5000 + 3200);
    const confirming = server.sentMs.slice(before, before + 3);
    expect(confirming).toHaveLength(3);
    const gaps = confirming.slice(1).map((ms, at) => ms - (confirming[at] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500 - tickToleranceMs);
    expect(row()).toMatchObject({ state: 'unreachable', failure: 'timeout' });
    server.isSilent = false;
    await clock.advance(7000);
    expect(row()?.state).toBe('reachable');
    expect(transitions.map(({ after }) => after.state)).toEqual([
      'reachable',
      'unreachable',
      'reachable',
    ]);
  });

  test('takes a new list: what is the same goes on, and the rest begins anew or ends', async () => {
    const { clock, server, monitor, row } = createMonitor({
      targets: [tcpTarget('database'), tcpTarget('cache')],
    });
    await clock.advance(6000);
    const same = monitor.get('database');
    monitor.setTargets([tcpTarget('cache', { digest: 8 }), tcpTarget('database')]);
    expect(monitor.get('database')).toBe(same);
    expect(row('cache')).toMatchObject({ digest: 8, state: 'unknown' });
    expect(server.closed).toBe(1);
    await clock.advance(6000);
    expect(row('cache')?.state).toBe('reachable');
    monitor.setTargets([]);
    expect(server.closed).toBe(3);
    const sent = server.sentMs.length;
    await clock.advance(60_000);
    expect(server.sentMs).toHaveLength(sent);
  });

  test('begins anew where only a file that a target names is another', async () => {
    const http = (headersFile: string) =>
      parseTargets({
        at: 'targets',
        value: [{ name: 'registry', http: { url: 'http://192.0.2.1/', headersFile } }],
      });
    const [before, after] = [http('/etc/old'), http('/etc/new')];
    expect(before[0]?.digest).toBe(after[0]?.digest);
    const { clock, server, monitor } = createMonitor({ targets: before });
    await clock.advance(6000);
    const known = monitor.get('registry');
    monitor.setTargets(http('/etc/old'));
    expect(monitor.get('registry')).toBe(known);
    monitor.setTargets(after);
    expect(monitor.get('registry')).not.toBe(known);
    expect(server.closed).toBe(1);
  });

  test('probes only what is probed from its plane', async () => {
    const { clock, server, monitor } = createMonitor({
      plane: 'endpoint',
      targets: [tcpTarget('database', { from: ['host'] }), tcpTarget('cache')],
    });
    await clock.advance(6000);
    expect([...monitor.watched()].map(({ target: { name } }) => name)).toEqual(['cache']);
    expect(server.sentMs).toHaveLength(2);
  });

  test('says why a target cannot be probed here', async () => {
    const targets = [tcpTarget('database', { notProbedBecause: 'there is no nameserver' })];
    const { clock, server, view } = createMonitor({ targets, nodes: 3 });
    await clock.advance(20_000);
    expect(server.sentMs).toEqual([]);
    expect(view()?.unknownBecause).toBe('there is no nameserver');
  });

  test('an empty node list, and the next one, do not make it probe twice as often', async () => {
    const { clock, server, monitor } = createMonitor({ nodes: 0 });
    for (const nodes of [1, 0, 1]) {
      monitor.setNodes(nodes, 'c/n1');
      await clock.advance(100);
    }
    await clock.advance(50_000);
    expect(server.sentMs.length).toBeLessThanOrEqual(11);
  });

  test('counts a tainted failure as no look', async () => {
    const { clock, server, row } = createMonitor();
    server.outcome = late;
    await clock.advance(30_000);
    expect(row()?.state).toBe('unknown');
    expect(row()?.probedSeconds).toBeGreaterThanOrEqual(29);
  });

  test.each(['reachable', 'unreachable'])(
    'knows nothing of a %s target of which each probe failed for reasons of this host',
    async (state) => {
      const { clock, server, transitions, row, view } = createMonitor();
      server.isSilent = state === 'unreachable';
      await clock.advance(10_000);
      expect(row()?.state).toBe(state);
      server.isSilent = false;
      server.failServer(1);
      server.outcome = late;
      await clock.advance(6000);
      expect(row()?.state).toBe(state);
      await clock.advance(3_600_000);
      expect(row()?.state).toBe('unknown');
      expect(row()?.failingServers).toBeUndefined();
      const seen = view();
      expect(seen?.state).toMatchObject({ state: 'unknown', rttNs: undefined, failure: undefined });
      expect(seen?.servers.map(({ state: ofServer }) => ofServer.state)).toEqual(
        Array.from({ length: 2 }, () => 'unknown'),
      );
      expect(transitions).toHaveLength(1);
      clock.wallOffsetMs += 3_600_000;
      expect(view()?.state.sinceAt).toBe(seen?.state.sinceAt);
      server.outcome = { outcome: 'reply', rttNs: 1e6 };
      await clock.advance(6000);
      expect(row()?.state).toBe('reachable');
      expect(transitions.at(-1)?.after.state).toBe('reachable');
    },
  );

  test('does not forget a target because the interval has become shorter', async () => {
    const { clock, server, monitor, row } = createMonitor();
    await clock.advance(1000);
    monitor.setNodes(1000, 'c/n1');
    while (server.sentMs.length < 2) await clock.advance(1000);
    await clock.advance(100_000);
    monitor.setNodes(1, 'c/n1');
    expect(row()?.state).toBe('reachable');
  });

  test('knows nothing of a target that it could not probe for two intervals', async () => {
    const { clock, server, transitions, row, view, notSent } = createMonitor();
    await clock.advance(6000);
    server.outcome = { outcome: 'not-sent', reason: 'other', detail: 'headersFile: it is gone' };
    await clock.advance(6000);
    expect(row()?.state).toBe('reachable');
    expect(view()?.state.notSent).toBe('headersFile: it is gone');
    await clock.advance(10_000);
    expect(row()).toMatchObject({ state: 'unknown' });
    expect(view()?.state.state).toBe('unknown');
    expect(notSent).toEqual([['database', 'headersFile: it is gone']]);
    // It was reachable and is so again: nothing has changed.
    server.outcome = { outcome: 'reply', rttNs: 1e6 };
    await clock.advance(6000);
    expect(row()?.state).toBe('reachable');
    expect(transitions.map(({ after }) => after.state)).toEqual(['reachable']);
    expect(notSent.at(-1)).toEqual(['database', undefined]);
  });

  test('tells that an outage is over also where it could not probe meanwhile', async () => {
    const { clock, server, transitions, row } = createMonitor();
    server.isSilent = true;
    await clock.advance(10_000);
    server.isSilent = false;
    server.outcome = { outcome: 'not-sent', reason: 'no-descriptor', detail: 'EMFILE' };
    await clock.advance(20_000);
    expect(row()?.state).toBe('unknown');
    server.outcome = { outcome: 'reply', rttNs: 1e6 };
    await clock.advance(6000);
    expect(transitions.map(({ before, after }) => `${before.state} ${after.state}`)).toEqual([
      'unknown unreachable',
      'unreachable reachable',
    ]);
  });

  test('gives up what it could not probe when the target is gone', async () => {
    const { clock, server, monitor, notSent } = createMonitor();
    server.outcome = { outcome: 'not-sent', reason: 'other', detail: 'it is gone' };
    await clock.advance(6000);
    monitor.setTargets([]);
    expect(notSent).toEqual([
      ['database', 'it is gone'],
      ['database', undefined],
    ]);
  });

  test('does not look at a hint while what is under way decides', async () => {
    const targets = [tcpTarget('database', { intervalMs: 3_600_000 })];
    const { clock, server, monitor } = createMonitor({ targets });
    await clock.advance(10_000);
    const looksWithin = async (times: number) => {
      server.sentMs.length = 0;
      for (let time = 0; time < times; time++) {
        monitor.get('database')?.probeSoon();
        await clock.advance(100);
      }
      return server.sentMs.length;
    };
    // The second waits for the least gap, and the others join it.
    expect(await looksWithin(4)).toBe(2);
    server.isSilent = true;
    expect(await looksWithin(4)).toBe(1);
    server.isSilent = false;
    await clock.advance(10_000);
    server.doubtServer(1);
    expect(await looksWithin(4)).toBe(0);
  });

  test('tells since when a server fails, and since when it answers again', async () => {
    const { clock, server, row, view } = createMonitor();
    await clock.advance(60_000);
    expect(row()?.ageSeconds).toBeGreaterThan(50);
    server.failServer(1);
    await clock.advance(20_000);
    expect(row()).toMatchObject({ state: 'reachable', failingServers: [1], ageSeconds: 20 });
    const { servers: views = [] } = view() ?? {};
    expect(row()?.servers).toEqual(rowServersOf(views.map(({ server: name }) => name)));
    server.failServer();
    await clock.advance(10_000);
    expect(row()).toMatchObject({ state: 'reachable', ageSeconds: 10 });
  });

  test('says nothing before its first look has decided on each server', async () => {
    const { clock, server, row } = createMonitor();
    server.doubtServer(1);
    await clock.advance(6000);
    expect(row()?.state).toBe('unknown');
    server.doubtServer();
    expect(row()?.state).toBe('reachable');
  });

  test('is not lossy while it may be the beginning of an outage', async () => {
    const { clock, server, row } = createMonitor();
    await clock.advance(60_000);
    const states = new Set<string | undefined>();
    server.isSilent = true;
    for (let tenths = 0; tenths < 100; tenths++) {
      await clock.advance(100);
      states.add(row()?.state);
    }
    expect([...states]).toEqual(['reachable', 'unreachable']);
  });
});
