import { indexCluster } from '../../../agent/diagnosis/cluster-index.js';
import type {
  DiagnosisInput,
  DiagnosisOutput,
  ObservedRow,
} from '../../../agent/diagnosis/diagnosis-input.js';
import { channels } from '../../../agent/diagnosis/channels.js';
import type { RowCounts, RowPath } from '../../../agent/model/row.js';
import type { Random } from '../../fuzz/random.js';

export interface NoiseCluster {
  readonly names: readonly string[];
  readonly zones: readonly (string | undefined)[];
}

type Said = Pick<RowPath, 'state' | 'ageSeconds' | 'failure'> | undefined;

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
  { names, zones }: NoiseCluster,
  stateOf: (observer: number, target: number, channel: number) => Said,
  { second, random, previous }: Look,
): DiagnosisInput {
  const rows = names.map((observer, from): ObservedRow => {
    const paths: RowPath[] = [];
    const zeros = (): { -readonly [Key in keyof RowCounts]: number } => ({
      reachable: names.length - 1,
      unreachable: 0,
      unknown: 0,
      degraded: 0,
    });
    const counts = {
      host: { icmp: zeros(), http: zeros() },
      endpoint: { icmp: zeros(), http: zeros() },
    };
    for (const [to, node] of names.entries()) {
      if (to === from) continue;
      for (const [channel, { plane, protocol }] of channels.entries()) {
        const said = stateOf(from, to, channel);
        if (!said) continue;
        paths.push({ node, plane, protocol, ...said });
        const count = counts[plane][protocol];
        if (said.state === 'unreachable') {
          count.unreachable++;
          count.reachable--;
        } else count.degraded++;
      }
    }
    const ageMs = from === 0 ? 0 : 5000 * random.next();
    return {
      ageMs,
      bodyAgeMs: ageMs,
      freshness: 'fresh',
      row: {
        observer,
        version: '0.2.0',
        httpIntervalMs: 5000,
        httpTimeoutMs: 1000,
        health: { ready: true, starved: false, notSending: [] },
        counts,
        paths,
        omittedNodes: 0,
        zones: [],
      },
    };
  });
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
    silentMs: new Map(),
    heardMsAgo: new Map(),
    now: epochMs + 1000 * second,
  };
}
