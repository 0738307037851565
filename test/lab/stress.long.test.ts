import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Agents } from './lib/agents.js';
import { all, figuresBelow, reachableSince, unchangedFrom } from './lib/checks.js';
import {
  delayedMesh,
  expectBelievable,
  heldMs,
  holdAll,
  longestTrueMs,
  samplesOf,
} from './lib/delayed-packets.js';
import type { Lab } from './lib/lab.js';
import { useMesh } from './lib/mesh.js';
import { missingForDelays } from './lib/requirements.js';
import { starve } from './lib/starve.js';
import { missingForClock, stepClock } from './lib/step-clock.js';
import { waitFor } from './lib/wait-for.js';

const missingClock = missingForClock();

const starvedMs = 10_000;
const hour = 3600;
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

  const mesh = useMesh(delayedMesh, missingForDelays());

  beforeEach(async () => {
    ({ lab, agents } = mesh());
    await waitFor(agents, reachableSince(Date.now()));
  });

  /** This quantile of the untainted echo RTTs since that time, for each agent. */
  async function echoMs(sinceAt: number, share: number): Promise<Record<string, number>> {
    const ofHosts = lab.hosts.map(async (host) => {
      const samples = await samplesOf(mesh(), host, sinceAt, ['icmp']);
      const believed = samples.flatMap(({ rtt, tainted }) => (tainted || !rtt ? [] : rtt / 1e6));
      const sorted = believed.sort((a, b) => a - b);
      return [host.icmp, sorted[Math.floor(share * sorted.length)] ?? Infinity] as const;
    });
    return Object.fromEntries(await Promise.all(ofHosts));
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

  test.for([
    ['forward', hour],
    ['back', -hour],
  ] as const)(
    'the clock stepped an hour %s changes no state and no figure of any agent',
    async ([, bySeconds], { skip }) => {
      if (missingClock !== undefined) skip(missingClock);
      const [before, startedAt] = [await agents.read(), Date.now()];
      const release = await holdAll(mesh(), lab.hosts);
      const putRight = await stepClock(bySeconds);
      try {
        await release();
        await delay(2 * heldMs);
      } finally {
        await putRight();
      }
      await waitFor(agents, unchangedFrom(before));
      await waitFor(agents, figuresBelow(longestTrueMs), 0);
      for (const host of lab.hosts) await expectBelievable(mesh(), host, startedAt);
      await waitFor(agents, all(unchangedFrom(before), reachableSince(Date.now())));
    },
  );
});
