import { expect, test } from 'vitest';
import type { Target } from '../../../agent/model/target.js';
import {
  defaultIntervalMs,
  defaultTimeoutMs,
} from '../../../agent/targets/definition/parse-targets.js';
import { planTarget } from '../../../agent/targets/target-plan.js';
import { mostInASecond } from '../lib/most-in-a-second.js';
import { TargetCluster } from './target-cluster.js';

const servers = ['10.96.0.10', '10.96.0.11'];
const target: Target = {
  name: 'cluster-dns',
  probe: { kind: 'dns', dns: { query: 'a.example', type: 'A', servers, expect: [] } },
  from: ['host', 'endpoint'],
  intervalMs: defaultIntervalMs,
  timeoutMs: defaultTimeoutMs,
  digest: 7,
};
const budgetPerSecond = 50;

// A look asks each server once, and a server that alone fails twice more, as often as a target that fails as a whole.
// So the budget of the target holds for each of its servers. All of them together get so many times as much.
test.each([2000])(
  'at %d nodes no server of a DNS target is asked more often than its budget in any second',
  async (nodes) => {
    const cluster = new TargetCluster({ seed: 1, nodes, budgetPerSecond, target });
    const { intervalMs } = planTarget(target, { nodes, budgetPerSecond });
    /** How often each server is asked until every agent has looked. */
    const most = (): {
      readonly inASecond: readonly number[];
      readonly asked: readonly number[];
    } => {
      cluster.reset();
      cluster.exchangeFor(3000);
      cluster.run(1.2 * intervalMs);
      const { askedMs } = cluster;
      return { inASecond: askedMs.map(mostInASecond), asked: askedMs.map(({ length }) => length) };
    };
    await cluster.start();
    const well = most();
    cluster.silentServers.add(0);
    const one = most();
    cluster.answering = 'is silent';
    const all = most();
    cluster.answering = 'replies';
    cluster.silentServers.clear();
    const again = most();

    for (const { inASecond } of [well, one, all, again]) {
      expect(inASecond).toHaveLength(servers.length);
      expect(Math.max(...inASecond)).toBeLessThanOrEqual(budgetPerSecond);
    }
    // The silent one is asked again by every agent and endpoint, twice.
    const places = target.from.length * nodes;
    const [silent = 0, answering = 0] = one.asked;
    expect(silent - answering).toBeGreaterThanOrEqual(2 * places);
    expect(well.asked[0]).toBe(well.asked[1]);
  },
);

// The most nodes that all look at once at a hint. Each place asks a server twice, and no more, until it is sure.
test('at 12 nodes no server that comes back is asked more often than its budget in any second', async () => {
  const most: Record<string, number> = {};
  for (let seed = 1; seed <= 5; seed++) {
    const cluster = new TargetCluster({ seed, nodes: 12, budgetPerSecond, target });
    const note = (name: string): void => {
      cluster.reset();
      cluster.exchangeFor(15_000);
      most[name] = Math.max(most[name] ?? 0, ...cluster.askedMs.map(mostInASecond));
    };
    await cluster.start();
    note('all start');
    cluster.silentServers.add(0);
    note('one dies');
    cluster.silentServers.clear();
    note('it comes back');
    cluster.answering = 'is silent';
    note('all die');
    cluster.answering = 'replies';
    note('all come back');
    cluster.answering = 'is silent';
    note('all die again');
    cluster.answering = 'replies';
    cluster.silentServers.add(1);
    note('one of them comes back');
  }
  expect(Math.max(...Object.values(most)), JSON.stringify(most)).toBeLessThanOrEqual(
    budgetPerSecond,
  );
});
