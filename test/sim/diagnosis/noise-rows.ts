import { indexCluster } from '../../../agent/diagnosis/nouns/cluster-index.js';
import type {
  DiagnosisInput,
  DiagnosisOutput,
  ObservedRow,
} from '../../../agent/diagnosis/nouns/diagnosis-input.js';
import { channels, perChannel } from '../../../agent/model/channel.js';
import type { Row, RowPath } from '../../../agent/model/row.js';
import type { Random } from '../../fuzz/random.js';

export interface NoiseCluster {
  readonly names: readonly string[];
  readonly zones: readonly (string | undefined)[];
}

type Said = Pick<RowPath, 'state' | 'ageSeconds' | 'failure'> | undefined;

/** What an observer sees of a target on a channel; undefined where it is well. */
export type StateOf = (observer: number, target: number, channel: number) => Said;

interface Look {
  readonly second: number;
  readonly random: Random;
  readonly previous: DiagnosisOutput | undefined;
}

const epochMs = Date.parse('2026-11-21T00:00:00Z');

/**
 * The diagnosis input of the first node's agent: a row of each other node, up to five seconds old.
 */
export function inputOf(
  cluster: NoiseCluster,
  stateOf: StateOf,
  { second, random, previous }: Look,
): DiagnosisInput {
  const rows = cluster.names.map((_, node) =>
    observedRow(rowOf(cluster, node, stateOf), node === 0 ? 0 : 5000 * random.next()),
  );
  return inputOfRows(cluster, rows, { second, previous });
}

/** A fresh row that was written `ageMs` milliseconds ago. */
export function observedRow(row: Row, ageMs: number): ObservedRow {
  return { row, ageMs, bodyAgeMs: ageMs, freshness: 'fresh' };
}

/** The row of an observer now. */
export function rowOf({ names }: NoiseCluster, observer: number, stateOf: StateOf): Row {
  const paths: RowPath[] = [];
  const counts = perChannel(() => ({
    reachable: names.length - 1,
    unreachable: 0,
    unknown: 0,
    degraded: 0,
  }));
  for (const [to, node] of names.entries()) {
    if (to === observer) continue;
    for (const [channel, { plane, protocol }] of channels.entries()) {
      const said = stateOf(observer, to, channel);
      if (!said) continue;
      paths.push({ node, plane, protocol, ...said });
      const count = counts[plane][protocol];
      if (said.state === 'unreachable') {
        count.unreachable++;
        count.reachable--;
      } else count.degraded++;
    }
  }
  return {
    observer: names[observer] ?? '',
    version: '0.2.0',
    httpIntervalMs: 5000,
    httpTimeoutMs: 1000,
    health: { ready: true, starved: false, notSending: [] },
    counts,
    paths,
    omittedNodes: 0,
    zones: [],
  };
}

/** The diagnosis input of the first node's agent, with these rows. */
export function inputOfRows(
  { names, zones }: NoiseCluster,
  rows: readonly ObservedRow[],
  { second, previous }: Omit<Look, 'random'>,
): DiagnosisInput {
  return {
    index: indexCluster(
      names.map((name, node) => ({
        name,
        zone: zones[node],
        phase: 'active' as const,
        host: [`10.0.0.${node + 1}`],
        endpoint: [`10.244.${node + 1}.2`],
      })),
    ),
    rows,
    previous,
    localName: names[0] ?? '',
    probePort: 4240,
    namespace: undefined,
    targets: [],
    silentMs: new Map(),
    heardMsAgo: new Map(),
    now: epochMs + 1000 * second,
    wallOffsetMs: 0,
    uptimeMs: 3_600_000,
  };
}
