import { expect, test } from 'vitest';
import { channels, perChannel } from '../../../../agent/model/channel.js';
import { timeout } from '../../../../agent/model/sample.js';
import type { VirtualClock } from '../../../sim/lib/virtual-clock.js';
import { wellRow } from '../exchange/lib/rows.js';
import { numberedNodes } from '../../../rows/numbered-nodes.js';
import { createSimulatedCluster, reply } from './simulated-cluster.js';

const nodes = numberedNodes(6);
const hourMs = 3_600_000;
/** The node dies and comes back, and one observer goes silent. */
const [diesAtS, isBackAtS, silentFromS, endS] = [10, 40, 30, 90];

/** What an agent with five peers says in each second, if its wall clock is set like that. */
function run(setWallClock: (clock: VirtualClock, second: number) => void) {
  const { clock, peers, cluster, run: runUntil } = createSimulatedCluster(nodes);
  const told: unknown[] = [];
  const isDeadAt = (second: number) => second >= diesAtS && second < isBackAtS;
  const tell = (second: number) => {
    setWallClock(clock, second);
    for (const { name } of nodes.slice(2)) {
      if (name === 'c/n5' && second >= silentFromS) continue;
      const row = rowOf(name, isDeadAt(second) ? second - diesAtS : undefined);
      peers.observers.keep(row, `p.${second}`, 0, clock.nowMs());
    }
    const own = peers.ownRowOf(0).row.paths.map(({ node, state, ageSeconds }) => {
      return `${node} ${state} for ${ageSeconds} s`;
    });
    told.push({
      second,
      own,
      counts: peers.counts(),
      findings: cluster.overview().findings.map(({ id, kind }) => `${id} ${kind}`),
    });
  };
  runUntil(
    endS,
    ({ node }, _, second) => (node === 'c/n1' && isDeadAt(second) ? timeout : reply),
    tell,
  );
  cluster.stop();
  return told;
}

function rowOf(observer: string, deadForS: number | undefined) {
  const isDead = deadForS !== undefined;
  const count = { reachable: isDead ? 5 : 6, unreachable: isDead ? 1 : 0, unknown: 0, degraded: 0 };
  const row = { ...wellRow(observer), counts: perChannel(() => count) };
  if (!isDead) return row;
  const dead = { node: 'c/n1', state: 'unreachable', failure: 'timeout' } as const;
  return { ...row, paths: channels.map((of) => ({ ...dead, ...of, ageSeconds: deadForS })) };
}

test.each([
  ['back', -hourMs],
  ['forward', hourMs],
])('a wall clock that is set %s by an hour changes no verdict, age or finding', (_, byMs) => {
  const expected = run(() => undefined);
  expect(JSON.stringify(expected)).toContain('node-down');
  expect(JSON.stringify(expected.at(-1))).not.toContain('node-down');
  for (const setAtS of [diesAtS + 1, diesAtS + 15, isBackAtS + 1]) {
    const told = run((clock, second) => {
      if (second === setAtS) clock.wallOffsetMs += byMs;
    });
    expect(told).toEqual(expected);
  }
});
