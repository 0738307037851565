import { expect, test } from 'vitest';
import { perChannel } from '../../../../agent/model/channel.js';
import { protocols, timeout, type Sample } from '../../../../agent/model/sample.js';
import type { VirtualClock } from '../../../sim/lib/virtual-clock.js';
import { wellRow } from '../exchange/lib/rows.js';
import { createSimulatedCluster } from './simulated-cluster.js';

const names = ['c/n0', 'c/n1', 'c/n2', 'c/n3', 'c/n4', 'c/n5'];
const hourMs = 3_600_000;
/** The node dies and comes back, and one observer goes silent. */
const [diesAtS, isBackAtS, silentFromS, endS] = [10, 40, 30, 90];

/** What an agent with five peers says in each second, if its wall clock is set like that. */
function run(setWallClock: (clock: VirtualClock, second: number) => void) {
  const nodes = names.map((name, index) => {
    return { name, host: [`10.0.0.${index}`], endpoint: [`10.1.0.${index}`] };
  });
  const { clock, store, peers, cluster, paths } = createSimulatedCluster(nodes);
  const told: unknown[] = [];
  for (let second = 1; second <= endS; second++) {
    clock.runUntil(1000 * second);
    setWallClock(clock, second);
    const isDead = second >= diesAtS && second < isBackAtS;
    for (const path of paths) {
      const times = { sentMs: clock.nowMs(), at: clock.wallMs() };
      const sample: Sample =
        isDead && path.node === 'c/n1'
          ? { ...timeout, ...times }
          : { outcome: 'reply', rttNs: 1e5, ...times };
      for (const protocol of protocols) store.record(path, protocol, sample);
    }
    for (const observer of names.slice(2)) {
      if (observer === 'c/n5' && second >= silentFromS) continue;
      const row = rowOf(observer, isDead ? second - diesAtS : undefined);
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
  }
  cluster.stop();
  return told;
}

function rowOf(observer: string, deadForS: number | undefined) {
  const isDead = deadForS !== undefined;
  const count = { reachable: isDead ? 5 : 6, unreachable: isDead ? 1 : 0, unknown: 0, degraded: 0 };
  const row = { ...wellRow(observer), counts: perChannel(() => count) };
  if (!isDead) return row;
  const dead = { node: 'c/n1', state: 'unreachable', failure: 'timeout' } as const;
  const paths = (['host', 'endpoint'] as const).flatMap((plane) =>
    protocols.map((protocol) => ({ ...dead, plane, protocol, ageSeconds: deadForS })),
  );
  return { ...row, paths };
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
