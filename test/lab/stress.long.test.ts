import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { HistorySample } from '../../api/schema/history.js';
import type { Agents } from './lib/agents.js';
import type { Cell } from './lib/cells.js';
import { all, figuresBelow, reachableSince, unchangedFrom, where } from './lib/checks.js';
import * as faults from './lib/faults.js';
import type { Lab } from './lib/lab.js';
import { useMesh } from './lib/mesh.js';
import type { Host } from './lib/plan.js';
import { missingForDelays } from './lib/requirements.js';
import { starve } from './lib/starve.js';
import { missingForClock, stepClock } from './lib/step-clock.js';
import { waitFor } from './lib/wait-for.js';

const missing = missingForDelays();
const missingClock = missingForClock();

/** The timeout leaves enough time for an answer to a delayed probe. */
const probeTimeoutMs = 2000;
/** After this time every path has probes under way. */
const heldMs = 600;
const pausedMs = 10_000;
const starvedMs = 10_000;
const hour = 3600;
/** No packet is delayed by more than this, so longer RTTs are false. */
const longestTrueMs = 2500;
const calmMs = 3000;
/** An echo between hosts on one machine takes less than this, even on busy processors. */
const usualEchoMs = 2;
/**
 * An echo that takes this many times longer than in a calm time shows a blocked agent, not the
 * network.
 */
const falseFactor = 20;

describe('agents under stress', () => {
  let lab: Lab;
  let agents: Agents;

  const mesh = useMesh(
    {
      hosts: 3,
      family: 4,
      settings: { 'icmp-interval': '200ms', 'probe-timeout': `${probeTimeoutMs}ms` },
    },
    missing,
  );

  beforeEach(async () => {
    ({ lab, agents } = mesh());
    await waitFor(agents, reachableSince(Date.now()));
  });

  /** All samples that a host's agent kept of probes sent after that time. */
  async function samplesOf(
    host: Host,
    sinceAt: number,
    among: readonly ('icmp' | 'http')[] = ['icmp', 'http'],
  ): Promise<HistorySample[]> {
    const histories = await Promise.all(lab.hosts.map((of) => agents.history(host, of)));
    return histories
      .flatMap(({ paths }) => paths)
      .flatMap((path) => among.flatMap((protocol) => path[protocol]?.samples ?? []))
      .filter(({ at }) => Date.parse(at) >= sinceAt);
  }

  /** This quantile of the untainted echo RTTs since that time, for each agent. */
  async function echoMs(sinceAt: number, share: number): Promise<Record<string, number>> {
    const ofHosts = lab.hosts.map(async (host) => {
      const samples = await samplesOf(host, sinceAt, ['icmp']);
      const believed = samples.flatMap(({ rtt, tainted }) => (tainted || !rtt ? [] : rtt / 1e6));
      const sorted = believed.sort((a, b) => a - b);
      return [host.icmp, sorted[Math.floor(share * sorted.length)] ?? Infinity] as const;
    });
    return Object.fromEntries(await Promise.all(ofHosts));
  }

  /** Expects no failure and no untainted RTT that only a stop of the agent itself can explain. */
  async function expectBelievable(host: Host, sinceAt: number): Promise<void> {
    const believed = (await samplesOf(host, sinceAt)).filter(({ tainted }) => !tainted);
    expect(believed.length).toBeGreaterThan(0);
    expect(believed.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(believed.filter(({ rtt }) => (rtt ?? 0) > longestTrueMs * 1e6)).toEqual([]);
  }

  /**
   * Holds back the packets between these hosts and their neighbours, so that probes are under way.
   */
  async function holdAll(hosts: readonly Host[]): Promise<faults.Repair> {
    const next = (host: Host): Host => lab.hosts[(lab.hosts.indexOf(host) + 1) % 3] ?? host;
    const releases = await Promise.all(hosts.map((host) => faults.hold(lab, host, next(host))));
    await delay(heldMs);
    return async () => {
      await Promise.all(releases.map((release) => release()));
    };
  }

  test('busy loops on every processor change no state and cause no false echo', async () => {
    const calmAt = Date.now();
    await delay(calmMs);
    const medians = Object.values(await echoMs(calmAt, 0.5));
    const limitMs = Math.max(usualEchoMs, falseFactor * Math.max(...medians));
    const [before, startedAt] = [await agents.read(), Date.now()];
    await starve(starvedMs);
    for (const [engine, ms] of Object.entries(await echoMs(startedAt, 0.99))) {
      expect(ms, `99 % of the echoes by ${engine}`).toBeLessThan(limitMs);
    }
    await waitFor(agents, all(unchangedFrom(before), reachableSince(Date.now())));
  });

  test.each(['n1', 'n2', 'n3'])(
    'an agent that was stopped for ten seconds blames no peer and believes no RTT of that time (%s)',
    async (name) => {
      const frozen = lab.host(name);
      const [before, startedAt] = [await agents.read(), Date.now()];
      const release = await holdAll([frozen]);
      try {
        agents.pause(frozen);
        await release();
        await delay(pausedMs);
      } finally {
        agents.resume(frozen);
      }
      const ofFrozen = ({ source }: Cell): boolean => source === name;
      await waitFor(agents, where(ofFrozen, unchangedFrom(before)));
      await waitFor(agents, where(ofFrozen, figuresBelow(longestTrueMs)), 0);
      await expectBelievable(frozen, startedAt);
      expect((await samplesOf(frozen, startedAt)).some(({ tainted }) => tainted)).toBe(true);
      await waitFor(
        agents,
        all(reachableSince(Date.now()), where(ofFrozen, unchangedFrom(before))),
      );
    },
  );

  test.for([
    ['forward', hour],
    ['back', -hour],
  ] as const)(
    'the clock stepped an hour %s changes no state and no figure of any agent',
    async ([, bySeconds], { skip }) => {
      if (missingClock !== undefined) skip(missingClock);
      const [before, startedAt] = [await agents.read(), Date.now()];
      const release = await holdAll(lab.hosts);
      const putRight = await stepClock(bySeconds);
      try {
        await release();
        await delay(2 * heldMs);
      } finally {
        await putRight();
      }
      await waitFor(agents, unchangedFrom(before));
      await waitFor(agents, figuresBelow(longestTrueMs), 0);
      for (const host of lab.hosts) await expectBelievable(host, startedAt);
      await waitFor(agents, all(unchangedFrom(before), reachableSince(Date.now())));
    },
  );
});
