import { expect, test } from 'vitest';
import type { Node } from '../../../../../agent/model/node.js';
import type { Path } from '../../../../../agent/model/path.js';
import type { Protocol } from '../../../../../agent/model/sample.js';
import type { PathChanges } from '../../../../../agent/probing/schedule/scheduler.js';
import { Random } from '../../../../fuzz/random.js';
import { fuzzScale } from '../../../../fuzz/scale.js';
import { simulateScheduler } from './simulated-scheduler.js';

const cadence = {
  intervalMs: 2000,
  timeoutMs: 500,
  budgetPerSecond: 50,
  failureThreshold: 3,
  recoveryThreshold: 2,
};

/**
 * An agent in a network whose answers a seed decides. As in the agent, the results take a list before the
 * schedulers do, so samples of paths that the results know no more arrive in between.
 */
function createAgent(random: Random) {
  const sampled: Record<Protocol, Set<Path>> = { icmp: new Set(), http: new Set() };
  const agent = simulateScheduler({
    localName: 'c/n0',
    cadence,
    random,
    isLost: () => random.below(4) === 0,
    rttMs: () => random.below(200),
    onSample: (path, protocol) => sampled[protocol].add(path),
  });
  const { clock, store, scheduler } = agent;
  const listed = new Set<Path>();
  /** Takes changes whole, and counts again what it knows. */
  const update = (nodes: readonly Node[], changes: PathChanges): void => {
    agent.update(nodes, changes);
    for (const path of changes.removed) listed.delete(path);
    for (const path of changes.added) listed.add(path);
  };
  const recount = () =>
    (['icmp', 'http'] as const).map((protocol) => ({
      protocol,
      paths: listed.size,
      probed: [...listed].filter((path) => sampled[protocol].has(path)).length,
    }));
  const counts = () =>
    scheduler.stats().map(({ protocol, paths, probed }) => ({ protocol, paths, probed }));
  return { clock, store, scheduler, update, recount, counts };
}

/** A list whose nodes may have changed their address since the last one. */
function randomList(random: Random) {
  return Array.from({ length: random.below(8) }, (_, index) => ({
    name: `c/n${index}`,
    host: [`198.51.100.${index}`],
    endpoint: [`10.0.${random.below(3)}.${index}`],
  }));
}

test.each(Array.from({ length: fuzzScale(30) }, (_, seed) => seed))(
  'counts the paths that were probed as a recount does, whatever lists come when (seed %i)',
  async (seed) => {
    const random = new Random(seed);
    const { clock, store, scheduler, update, recount, counts } = createAgent(random);
    for (let lists = 0; lists < 20; lists++) {
      const nodes = randomList(random);
      const changes = store.setNodes(nodes);
      await clock.advance(random.below(700));
      update(nodes, changes);
      for (let steps = random.below(10); steps > 0; steps--) {
        expect(counts()).toEqual(recount());
        await clock.advance(random.below(200));
      }
    }
    const last = [{ name: 'c/n0', host: ['198.51.100.0'], endpoint: ['10.0.0.0'] }];
    update(last, store.setNodes(last));
    await clock.advance(cadence.timeoutMs + cadence.intervalMs);
    expect(counts()).toEqual(recount());
    expect(scheduler.isSwept).toBe(true);
    scheduler.stop();
  },
);
