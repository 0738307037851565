import { beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest';
import type { Agents } from './lib/agents.js';
import type { Cell } from './lib/cells.js';
import { reachableSince, unreachable } from './lib/checks.js';
import { cutOff } from './lib/faults.js';
import { createLab, type Lab } from './lib/lab.js';
import type { Host } from './lib/plan.js';
import { missingFor } from './lib/requirements.js';
import { waitFor, type Check } from './lib/wait-for.js';

const hostCount = 20;
const deaths = 20;
/**
 * Frequent polls are not needed, because each state says when it began. They would only take CPU
 * time from the agents.
 */
const pollMs = 1000;
const startDeadlineMs = 180_000;
const missing = missingFor(4);

/**
 * An agent alone needs up to a minute to see a death. Some agent probes some path of a given node
 * every 0.8 seconds.
 */
const slowly = { 'icmp-interval': '60s', 'http-interval': '60s', 'probe-timeout': '1s' };

/**
 * Waits until all other agents see a host dead, by both protocols and on both planes. Returns when
 * the last one saw it.
 */
class DeathWatch {
  readonly #dead: Host;
  lastSeenAt = 0;

  constructor(dead: Host) {
    this.#dead = dead;
  }

  readonly check: Check = (cell) => {
    if (cell.target !== this.#dead.name || cell.source === this.#dead.name) return undefined;
    const lack = unreachable(cell);
    if (lack === undefined) this.lastSeenAt = Math.max(this.lastSeenAt, cell.since);
    return lack;
  };
}

describe('twenty agents that probe once a minute', () => {
  let lab: Lab;
  let agents: Agents;

  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  beforeAll(async () => {
    if (missing !== undefined) return;
    lab = await createLab({ hosts: hostCount, family: 4 });
    return () => lab.close();
  });

  beforeAll(async () => {
    if (missing !== undefined) return;
    agents = await lab.startAgents(slowly);
    return () => agents.stop();
  });

  // This is not in a hook: if a hook throws, the processes that the others started are not stopped.
  test(
    'every agent reaches all others and has a fresh row of each',
    async () => {
      onTestFailed(() => console.error(agents.logs()));
      await waitFor(agents, reachableSince(0), startDeadlineMs, pollMs);
      for (const host of lab.hosts) {
        const { exchange } = await agents.healthz(host);
        expect(exchange).toMatchObject({
          observers: { fresh: hostCount - 1, stale: 0, silent: 0 },
          messages: { malformed: 0, unauthenticated: 0, source: 0 },
        });
      }
    },
    2 * startDeadlineMs,
  );

  test(
    'all agents see each of twenty deaths by both protocols on both planes, long before each alone would',
    { timeout: 600_000 },
    async () => {
      onTestFailed(() => console.error(agents.logs()));
      const seconds: number[] = [];
      for (let round = 0; round < deaths; round++) {
        const dead = lab.hosts[round % hostCount] as Host;
        const diedAt = Date.now();
        const repair = await cutOff(lab, dead);
        const death = new DeathWatch(dead);
        await waitFor(agents, death.check, 30_000, pollMs);
        seconds.push((death.lastSeenAt - diedAt) / 1000);
        await agents.end(dead);
        await repair();
        const backAt = Date.now();
        agents.start(dead);
        await waitFor(agents, reachableSincePathsOf(dead, backAt), 90_000, pollMs);
      }
      const sorted = [...seconds].sort((a, b) => a - b);
      const median = sorted[sorted.length >> 1] ?? NaN;
      const worst = sorted.at(-1) ?? NaN;
      console.log(
        `time until all see a death, with hints: median ${median.toFixed(2)} s, worst ${worst.toFixed(2)} s of ${deaths}: ${seconds.map((one) => one.toFixed(1)).join(' ')}`,
      );
      expect(seconds).toHaveLength(deaths);
    },
  );
});

describe('twenty agents that exchange nothing', () => {
  let lab: Lab;
  let agents: Agents;

  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  beforeAll(async () => {
    if (missing !== undefined) return;
    lab = await createLab({ hosts: hostCount, family: 4 });
    return () => lab.close();
  });

  beforeAll(async () => {
    if (missing !== undefined) return;
    agents = await lab.startAgents({ ...slowly, mesh: 'off' });
    return () => agents.stop();
  });

  test('find a death one by one, within the time of their plan', async () => {
    onTestFailed(() => console.error(agents.logs()));
    await waitFor(agents, reachableSince(0), startDeadlineMs, pollMs);
    const [dead, ...others] = lab.hosts as [Host, ...Host[]];
    const healths = await Promise.all(others.map((host) => agents.healthz(host)));
    const plans = healths.map(({ plan }) => plan?.http?.timeToDetectMs ?? NaN);
    for (const { plan, exchange } of healths) {
      expect(exchange).toBeUndefined();
      expect(plan?.http?.timeToDetectWithHintsMs ?? plan?.http?.timeToDetectMs).toBe(
        plan?.http?.timeToDetectMs,
      );
    }
    const diedAt = Date.now();
    await cutOff(lab, dead);
    const death = new DeathWatch(dead);
    await waitFor(agents, death.check, 2 * Math.max(...plans), pollMs);
    const worst = (death.lastSeenAt - diedAt) / 1000;
    const planned = Math.max(...plans) / 1000;
    console.log(`time until all see a death, alone: ${worst.toFixed(1)} s; planned ${planned} s`);
  }, 600_000);
});

/** All paths work. Paths from and to a host that came back have been probed since `at`. */
function reachableSincePathsOf(host: Host, at: number) {
  const since = reachableSince(at);
  const ever = reachableSince(0);
  return (cell: Cell) =>
    cell.source === host.name || cell.target === host.name ? since(cell) : ever(cell);
}
