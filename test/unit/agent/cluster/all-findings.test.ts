import { expect, test } from 'vitest';
import type { Plane } from '../../../../agent/model/path.js';
import { timeout, type Protocol } from '../../../../agent/model/sample.js';
import { findingsBody } from '../../../../agent/reports/v1/findings-body.js';
import { numberedNodes } from '../../../rows/numbered-nodes.js';
import { pathsTo } from '../../../rows/make-row.js';
import { createSimulatedCluster, reply } from './simulated-cluster.js';

/** What fails of a node, so that it has a finding of its own; fourteen of each kind are not folded. */
const faults: readonly ((plane: Plane, protocol: Protocol) => boolean)[] = [
  () => true,
  (plane, protocol) => plane === 'host' && protocol === 'http',
  (plane, protocol) => plane === 'endpoint' && protocol === 'http',
  (plane) => plane === 'host',
  (plane) => plane === 'endpoint',
  (_, protocol) => protocol === 'icmp',
];
const perKind = 14;

/** So many pairs fail before. */
const pairs = 8;

test('findings beyond the worst 64 stay open, though the body has no room for them', () => {
  const { cluster, peers, clock, run } = createSimulatedCluster(numberedNodes(600));
  run(
    160,
    ({ node, plane }, protocol, second) => {
      const kind = Math.floor((Number(node.slice(3)) - 2) / perKind);
      return second > 90 && faults[kind]?.(plane, protocol) === true ? timeout : reply;
    },
    (second) => {
      if (second % 4 !== 0) return;
      const { row } = peers.ownRowOf(0);
      for (let at = 0; at < 12; at++) {
        const sinceS = second - 5;
        const isOfPair = at < pairs && sinceS > 0;
        const own = isOfPair ? pathsTo(`c/n${300 + at}`, () => unreachable(sinceS)) : [];
        const counts = structuredClone(row.counts) as Mutable<typeof row.counts>;
        for (const { plane, protocol } of own) {
          counts[plane][protocol].reachable--;
          counts[plane][protocol].unreachable++;
        }
        const of = { observer: `c/n${200 + at}`, counts, paths: [...row.paths, ...own] };
        peers.observers.keep({ ...row, ...of }, `p.${second}`, 0, clock.nowMs());
      }
    },
  );
  const { findings } = cluster.overview();
  const body = findingsBody(cluster.state());
  const events = cluster.events
    .after(0, 20_000)
    .events.map(({ json }) => JSON.parse(json) as { change?: string; finding: string });
  cluster.stop();
  expect(findings.length).toBeGreaterThanOrEqual(faults.length * perKind + pairs);
  expect(body.findings.map(({ id }) => id)).toEqual(findings.slice(0, 64).map(({ id }) => id));
  const last = new Map(events.flatMap(({ finding, change = '' }) => [[finding, change] as const]));
  expect(findings.filter(({ id }) => last.get(id) === 'closed')).toEqual([]);
});

const unreachable = (ageSeconds: number) =>
  ({ state: 'unreachable', ageSeconds, failure: 'timeout' }) as const;

/** The same without `readonly`. */
type Mutable<T> = { -readonly [K in keyof T]: Mutable<T[K]> };
