import { describe, expect, test } from 'vitest';
import type { Node } from '../../../../../agent/model/node.js';
import { planes, type Path, type Plane } from '../../../../../agent/model/path.js';
import { protocols } from '../../../../../agent/model/sample.js';
import { onDemandBudget, type Cadence } from '../../../../../agent/probing/schedule/plan.js';
import { Random } from '../../../../fuzz/random.js';
import { numberedNodes } from '../../../../rows/numbered-nodes.js';
import { simulateScheduler } from './simulated-scheduler.js';

const localName = 'c/n0';
const cadence: Cadence = {
  intervalMs: 60_000,
  budgetPerSecond: 40,
  timeoutMs: 1000,
  failureThreshold: 3,
  recoveryThreshold: 2,
};

/** One agent that knows its cluster, with the real scheduler and states, in a network that a test breaks. */
async function createAgent(
  nodes: number,
  seed = 1,
  listed: (nodes: readonly Node[]) => readonly Node[] = (all) => all,
) {
  const network: { isBroken: (path: Path) => boolean } = { isBroken: () => false };
  let sent = 0;
  const { clock, store, scheduler, update } = simulateScheduler({
    localName,
    cadence,
    random: new Random(seed),
    isLost(path) {
      sent++;
      return path.node !== localName && network.isBroken(path);
    },
  });
  const list = listed(numberedNodes(nodes));
  update(list, store.setNodes(list));
  const unreachable = (plane?: Plane): number => {
    const { counts } = store.snapshot();
    return (plane ? [plane] : planes)
      .flatMap((one) => protocols.map((protocol) => counts[one][protocol].unreachable))
      .reduce((sum, count) => sum + count, 0);
  };
  /** Advances by so many milliseconds, or until the condition holds. Returns how long it took. */
  const until = async (isDone: () => boolean, mostMs: number): Promise<number> => {
    const startMs = clock.nowMs();
    while (!isDone() && clock.nowMs() - startMs < mostMs) await clock.advance(100);
    return clock.nowMs() - startMs;
  };
  /** How long it takes after the end of a cut until the agent sees no path as failing. */
  const recoversMs = (): Promise<number> => {
    network.isBroken = () => false;
    return until(() => unreachable() === 0, 60_000);
  };
  await clock.advance(65_000);
  return { clock, network, scheduler, unreachable, until, recoversMs, probesSent: () => sent };
}

function numberOf(node: string): number {
  return Number(node.slice('c/n'.length));
}

describe('an agent that was cut off and is back', () => {
  test.each([
    [10_000, 1],
    [10_000, 2],
    [25_000, 3],
    [150_000, 4],
  ])('sees 19 peers rightly within 8 s after a cut of %i ms (seed %i)', async (cutMs, seed) => {
    const { clock, network, unreachable, recoversMs } = await createAgent(20, seed);
    network.isBroken = () => true;
    await clock.advance(cutMs);
    expect(unreachable()).toBeGreaterThanOrEqual(3);
    expect(await recoversMs()).toBeLessThanOrEqual(8000);
  });

  test('sees one plane rightly within 8 s, where only that one was cut', async () => {
    const { clock, network, unreachable, recoversMs } = await createAgent(20);
    network.isBroken = ({ plane }) => plane === 'endpoint';
    await clock.advance(90_000);
    expect([unreachable('host'), unreachable('endpoint')]).toEqual([0, 2 * 19]);
    expect(await recoversMs()).toBeLessThanOrEqual(8000);
  });

  test.each([
    [10_000, 1],
    [40_000, 2],
    [150_000, 3],
  ])(
    'sees the others rightly within 8 s where its zone was cut off with it, for %i ms (seed %i)',
    async (cutMs, seed) => {
      const { clock, network, unreachable, recoversMs } = await createAgent(12, seed);
      network.isBroken = ({ node }) => numberOf(node) >= 4;
      await clock.advance(65_000);
      await clock.advance(cutMs);
      expect(unreachable()).toBe(4 * 8);
      expect(await recoversMs()).toBeLessThanOrEqual(8000);
    },
  );

  test('probes the dead most no faster for one of them that comes and goes', async () => {
    const { clock, network, probesSent } = await createAgent(40);
    network.isBroken = ({ node }) => numberOf(node) >= 10;
    await clock.advance(90_000);
    const before = probesSent();
    for (let turn = 0; turn < 60; turn++) {
      const isBack = turn % 2 === 0;
      network.isBroken = ({ node }) => numberOf(node) >= (isBack ? 11 : 10);
      await clock.advance(5000);
    }
    const steady = 4 * 40 * (300_000 / cadence.intervalMs);
    const starts = 300_000 / 30_000 + 1;
    const confirmations = 60 * 4 * 3;
    expect(probesSent() - before).toBeLessThanOrEqual(steady + starts * 3 * 4 * 30 + confirmations);
  });

  test('finds those too that come back some seconds after the others', async () => {
    const { clock, network, unreachable, until, recoversMs } = await createAgent(20);
    network.isBroken = () => true;
    await clock.advance(90_000);
    network.isBroken = ({ node }) => numberOf(node) >= 15;
    await until(() => unreachable() === 4 * 5, 8000);
    await clock.advance(2000);
    expect(await recoversMs()).toBeLessThanOrEqual(8000);
  });

  test('sends at most three probes to each path that stays dead, at the rate of a sweep', async () => {
    const { clock, network, unreachable, until, probesSent } = await createAgent(200);
    network.isBroken = () => true;
    await clock.advance(120_000);
    network.isBroken = ({ node }) => numberOf(node) >= 150;
    const before = probesSent();
    const tookMs = await until(() => unreachable() === 4 * 50, 60_000);
    await clock.advance(10_000);
    const paths = 4 * 200;
    const steady = paths * ((tookMs + 10_000) / cadence.intervalMs);
    // Each path that is back needs two answers, and a dead one is probed three times.
    const extra = 2 * 4 * 149 + 3 * 4 * 50;
    expect(probesSent() - before).toBeLessThanOrEqual(extra + steady + 0.05 * paths);
    expect(tookMs).toBeLessThanOrEqual((2 * 4 * 200 * 1000) / onDemandBudget(cadence) + 2000);
  });

  test('sends nothing more for dead peers while others answer', async () => {
    const { clock, network, probesSent } = await createAgent(200);
    network.isBroken = ({ node }) => numberOf(node) >= 140;
    await clock.advance(90_000);
    const before = probesSent();
    await clock.advance(cadence.intervalMs);
    expect(probesSent() - before).toBeLessThanOrEqual(4 * 200 * 1.02);
  });

  test.each([
    [
      'an external address of each node never answers',
      (node: Node): Node => ({ ...node, host: [...node.host, `203.0.113.${numberOf(node.name)}`] }),
      ({ ip }: Path): boolean => ip.startsWith('203.'),
    ],
    [
      'most nodes are excluded and off',
      (node: Node): Node =>
        numberOf(node.name) < 20
          ? node
          : { ...node, lifecycle: { phase: 'excluded', reason: 'cordoned' } },
      ({ node }: Path): boolean => numberOf(node) >= 20,
    ],
  ])('probes nothing more for a node that comes and goes where %s', async (_, listedAs, isAway) => {
    const { clock, network, probesSent } = await createAgent(50, 1, (nodes) => nodes.map(listedAs));
    network.isBroken = isAway;
    await clock.advance(90_000);
    const probed = async (isDown: boolean): Promise<number> => {
      const before = probesSent();
      network.isBroken = (path) => isAway(path) || (isDown && path.node === 'c/n5');
      await clock.advance(60_000);
      return probesSent() - before;
    };
    const steady = await probed(false);
    await probed(true);
    expect((await probed(false)) - steady).toBeLessThanOrEqual(20);
  });

  test('probes nothing more once it is stopped', async () => {
    const { clock, network, scheduler, probesSent } = await createAgent(20);
    network.isBroken = () => true;
    await clock.advance(90_000);
    network.isBroken = ({ node }) => node !== 'c/n1';
    await clock.advance(3000);
    scheduler.stop();
    const before = probesSent();
    await clock.advance(60_000);
    expect(probesSent()).toBe(before);
    expect(clock.pendingTimers).toBe(0);
  });
});
