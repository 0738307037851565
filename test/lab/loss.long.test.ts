import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DaemonHealth } from '../../api/schema/daemon-health.js';
import type { Agents } from './lib/agents.js';
import type { Cell, Place } from './lib/cells.js';
import { all, brokenOnly, reachableSince, unchangedFrom, where } from './lib/checks.js';
import * as faults from './lib/faults.js';
import type { Lab } from './lib/lab.js';
import { useMesh } from './lib/mesh.js';
import { probePort, type Host } from './lib/plan.js';
import { missingForDelays } from './lib/requirements.js';
import { waitFor, type Check } from './lib/wait-for.js';

const missing = missingForDelays();
/** A lost SYN is sent again after a second, so the timeout is longer. */
const probeTimeoutMs = 1500;
const observedMs = 15_000;
const looks = 50;
const oneSecondNs = 1e9;

describe('agents whose probes are lost, late or duplicated', () => {
  let lab: Lab;
  let agents: Agents;
  let n1: Host;
  let n2: Host;

  const mesh = useMesh(
    {
      hosts: 3,
      family: 4,
      settings: { 'icmp-interval': '50ms', 'probe-timeout': `${probeTimeoutMs}ms` },
    },
    missing,
  );

  beforeEach(async () => {
    ({ lab, agents } = mesh());
    [n1, n2] = [lab.host('n1'), lab.host('n2')];
    await waitFor(agents, reachableSince(Date.now()));
  });

  const isPair = ({ source, target }: Place): boolean =>
    ['n1 n2', 'n2 n1'].includes(`${source} ${target}`);
  const isEcho = ({ protocol }: Place): boolean => protocol === 'icmp';

  test('1 % loss in one direction is counted and moves no state', async () => {
    const before = await agents.read();
    const repair = await faults.loseFrom(lab, n1, n2, 1);
    await delay(observedMs);
    await repair();
    await waitFor(agents, unchangedFrom(before));
    const after = await agents.read();
    const lossy = after.filter(({ said }) => (said?.loss1m ?? 0) > 0);
    expect(lossy.filter(isPair)).not.toEqual([]);
    expect(lossy.filter((cell) => isEcho(cell) && !isPair(cell))).toEqual([]);
  });

  test('10 % loss in one direction makes that pair lossy, which stays reachable, and no other', async () => {
    const repair = await faults.loseFrom(lab, n1, n2, 10);
    const lossy: Check = ({ said }) =>
      said?.lossy && (said.loss1m ?? 0) > 0.02 ? undefined : 'expected lossy';
    const whole: Check = ({ said }) =>
      said?.lossy || said?.loss1m ? 'expected no loss' : undefined;
    const check = where(isEcho, (cell) => (isPair(cell) ? lossy : whole)(cell));
    const seen: Cell[] = [];
    try {
      await waitFor(agents, check);
      for (let look = 0; look < looks; look++) {
        seen.push(...(await agents.read()).filter((cell) => isEcho(cell) && isPair(cell)));
        await delay(100);
      }
    } finally {
      await repair();
    }
    const reachable = seen.filter(({ state }) => state === 'reachable');
    expect(reachable.length / seen.length).toBeGreaterThan(0.8);
  });

  test('the history of a host that was cut off has its failures in words and the time of its return', async () => {
    const repair = await faults.cutOff(lab, n2);
    let repairedAt: number;
    try {
      const touchesN2 = ({ source, target }: Place): boolean =>
        source !== target && (source === 'n2' || target === 'n2');
      await waitFor(agents, brokenOnly(touchesN2, Date.now()));
      for (const { icmp, http } of (await agents.history(n1, n2)).paths) {
        for (const series of [icmp, http]) {
          const failures = series?.samples.flatMap(({ failure }) => failure ?? []) ?? [];
          expect(series?.state).toBe('unreachable');
          expect(failures).toContain(series?.status);
          expect(failures.length).toBeGreaterThanOrEqual(3);
        }
      }
    } finally {
      repairedAt = Date.now();
      await repair();
    }
    await waitFor(agents, reachableSince(Date.now()));
    const { paths } = await agents.history(n1, n2);
    expect(paths.map(({ plane }) => plane)).toEqual(['host', 'endpoint']);
    for (const { icmp, http } of paths) {
      for (const series of [icmp, http]) {
        expect(series?.state).toBe('reachable');
        expect(Date.parse(series?.since ?? '')).toBeGreaterThanOrEqual(repairedAt);
      }
      const failures = http?.samples.filter(({ failure }) => failure !== undefined) ?? [];
      expect(failures.length).toBeGreaterThanOrEqual(3);
    }
  });

  test('a connection that needed a second SYN says so, and its handshake has the true RTT', async () => {
    const repair = await faults.loseSyn(lab, n1, n2, probePort);
    const isLosing = ({ source, target, plane, protocol }: Place): boolean =>
      `${source} ${target} ${plane} ${protocol}` === 'n1 n2 host http';
    const retransmitted: Check = ({ said }) =>
      (said?.synRetransmissions ?? 0) >= 1 &&
      (said?.connect ?? 0) > oneSecondNs / 2 &&
      (said?.tcpRtt ?? Infinity) < oneSecondNs / 2
        ? undefined
        : 'expected a SYN sent again';
    await waitFor(agents, where(isLosing, retransmitted)).finally(repair);
  });

  /** The echo counters of an agent. */
  async function countsOf(host: Host): Promise<NonNullable<DaemonHealth['icmp']>> {
    const { icmp } = await agents.healthz(host);
    if (!icmp) throw new Error(`expected the agent of ${host.name} to count echoes`);
    return icmp;
  }

  test.each([
    ['n1', 'n2'],
    ['n2', 'n3'],
    ['n3', 'n1'],
  ])('%s counts answers that come after their time as late, those of %s', async (...names) => {
    const [prober, peer] = names.map((name) => lab.host(name)) as [Host, Host];
    const before = await countsOf(prober);
    const release = await faults.hold(lab, prober, peer);
    await delay(1.5 * probeTimeoutMs).finally(release);
    await expect.poll(async () => (await countsOf(prober)).late).toBeGreaterThan(before.late);
    expect(await countsOf(prober)).toMatchObject({ duplicate: before.duplicate, foreign: 0 });
  });

  test.each([
    ['n1', 'n2'],
    ['n2', 'n3'],
    ['n3', 'n1'],
  ])('%s counts doubled answers of %s and takes each once', async (...names) => {
    const [prober, peer] = names.map((name) => lab.host(name)) as [Host, Host];
    const [cells, before] = [await agents.read(), await countsOf(prober)];
    const repair = await faults.doubleReplies(lab, peer, prober);
    try {
      const doubled = async (): Promise<number> => (await countsOf(prober)).duplicate;
      await expect.poll(doubled).toBeGreaterThan(before.duplicate + 5);
      await waitFor(agents, all(unchangedFrom(cells), reachableSince(Date.now())));
    } finally {
      await repair();
    }
    const { sent, answered, foreign } = await countsOf(prober);
    expect(answered).toBeLessThanOrEqual(sent);
    expect(foreign).toBe(0);
  });
});
