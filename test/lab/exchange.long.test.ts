import { describe, expect, test } from 'vitest';
import type { Agents } from './lib/agents.js';
import type { Cell } from './lib/cells.js';
import { reachableSince, unreachable } from './lib/checks.js';
import { unplugged } from './lib/fault-kinds.js';
import { useMesh } from './lib/mesh.js';
import type { Host } from './lib/plan.js';
import { waitFor, type Check } from './lib/wait-for.js';

/** The figures in docs/benchmarks.md are of 20 agents and 20 deaths. */
const hostCount = Number(process.env['LAB_AGENTS'] ?? 10);
const deaths = Number(process.env['LAB_DEATHS'] ?? 3);
/**
 * Frequent polls are not needed, because each state says when it began. They would only take CPU
 * time from the agents.
 */
const pollMs = 1000;
const startDeadlineMs = 180_000;

/** An agent alone needs up to a minute to see a death. */
const slowly = { 'icmp-interval': '60s', 'http-interval': '60s', 'probe-timeout': '1s' };
/** Alone, all agents see a death in this time. What brought their probes is told by their counters. */
const deathDeadlineMs = 120_000;
const alone = { 'icmp-interval': '20s', 'http-interval': '20s', mesh: 'off' };

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

/** How many probes of each agent were caused by hints. */
function probesByHints(agents: Agents, hosts: readonly Host[]): Promise<number[]> {
  return Promise.all(
    hosts.map(async (host) => (await agents.healthz(host)).exchange?.hints.probed ?? NaN),
  );
}

describe(`${hostCount} agents that probe once a minute`, () => {
  const mesh = useMesh({ hosts: hostCount, family: 4, settings: slowly });

  test(
    'every agent has a fresh row of each other one',
    { timeout: startDeadlineMs + 20_000 },
    async () => {
      const { lab, agents } = mesh();
      const all = lab.hosts.map((host) =>
        expect
          .poll(async () => (await agents.healthz(host)).exchange, {
            timeout: startDeadlineMs,
            message: host.name,
          })
          .toMatchObject({
            observers: { fresh: hostCount - 1, stale: 0, silent: 0 },
            messages: { malformed: 0, unauthenticated: 0, source: 0 },
          }),
      );
      await Promise.all(all);
    },
  );

  test(
    'all agents see each death by both protocols on both planes, and most of them look because of a hint',
    { timeout: 600_000 },
    async () => {
      const { lab, agents } = mesh();
      const seconds: number[] = [];
      const hinted: number[] = [];
      for (let round = 0; round < deaths; round++) {
        const dead = lab.hosts[round % hostCount] as Host;
        const others = lab.hosts.filter((host) => host !== dead);
        const before = await probesByHints(agents, others);
        const diedAt = Date.now();
        const repair = await mesh().make(unplugged(dead.name));
        const death = new DeathWatch(dead);
        await waitFor(agents, death.check, deathDeadlineMs, pollMs);
        seconds.push((death.lastSeenAt - diedAt) / 1000);
        const after = await probesByHints(agents, others);
        hinted.push(after.filter((count, index) => count > (before[index] ?? NaN)).length);
        await agents.end(dead);
        await repair();
        const backAt = Date.now();
        agents.start(dead);
        await waitFor(agents, reachableSincePathsOf(dead, backAt), 90_000, pollMs);
      }
      console.log(`agents that looked because of a hint, of ${hostCount - 1}: ${hinted.join(' ')}`);
      // An agent that is starved by other work gives no hints, so not every death is told to most, or to any.
      expect(hinted.filter((count) => count > 0).length).toBeGreaterThan(deaths / 2);
      expect(Math.max(...hinted)).toBeGreaterThan((hostCount - 1) / 2);
      const sorted = [...seconds].sort((a, b) => a - b);
      const median = sorted[sorted.length >> 1] ?? NaN;
      const worst = sorted.at(-1) ?? NaN;
      console.log(
        `time until all see a death, with hints: median ${median.toFixed(2)} s, worst ${worst.toFixed(2)} s of ${deaths}: ${seconds.map((one) => one.toFixed(1)).join(' ')}`,
      );
    },
  );

  test('with the exchange off they find a death one by one, within the time of their plan', async () => {
    const { lab, agents } = mesh();
    await Promise.all(lab.hosts.map((host) => agents.restart(host, alone)));
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
    const repair = await mesh().make(unplugged(dead.name));
    const death = new DeathWatch(dead);
    await waitFor(agents, death.check, 2 * Math.max(...plans), pollMs).finally(repair);
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
