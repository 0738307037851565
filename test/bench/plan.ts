import type { Engine } from './ground/agent.js';
import type { Measurement } from './measurements.js';
import type { Options } from './options.js';
import { count, percent } from './report/numbers.js';

/** One agent with one cluster, and what is measured with it. */
export interface StagePlan {
  readonly nodes: number;
  readonly deadShare: number;
  readonly engine: Engine;
  readonly icmpFiltered: boolean;
  readonly measurements: readonly Measurement[];
}

const healthy = { deadShare: 0, engine: 'kernel', icmpFiltered: false } as const;

/** Everything there is; what is only worth it with time at hand says so. */
const stages: readonly (StagePlan & { readonly fullOnly?: true })[] = [
  { ...healthy, nodes: 10, measurements: ['rtt', 'cli', 'fping'] },
  { ...healthy, nodes: 100, measurements: ['start', 'cost', 'detection'] },
  { ...healthy, nodes: 1000, measurements: ['start', 'cost', 'rtt', 'detection', 'cli', 'fping'] },
  {
    ...healthy,
    nodes: 5000,
    measurements: ['start', 'cost', 'rtt', 'detection', 'status', 'cli', 'fping'],
  },
  { ...healthy, nodes: 1000, deadShare: 0.3, measurements: ['start', 'cost', 'sweep'] },
  { ...healthy, nodes: 5000, deadShare: 0.3, measurements: ['cost', 'detection'] },
  { ...healthy, nodes: 10, engine: 'net-ping', measurements: ['rtt'], fullOnly: true },
  { ...healthy, nodes: 1000, engine: 'net-ping', measurements: ['rtt'] },
  { ...healthy, nodes: 5000, engine: 'net-ping', measurements: ['rtt'], fullOnly: true },
  { ...healthy, nodes: 100, icmpFiltered: true, measurements: ['detection'] },
  { ...healthy, nodes: 1000, icmpFiltered: true, measurements: ['detection'], fullOnly: true },
  { ...healthy, nodes: 5000, icmpFiltered: true, measurements: ['detection'], fullOnly: true },
];

/** The stages that have something to measure of what was asked for. */
export function planStages({ only, sizes, quick }: Options): StagePlan[] {
  return stages
    .filter(({ nodes, fullOnly }) => sizes.has(nodes) && !(quick && fullOnly))
    .map((stage) => ({
      ...stage,
      measurements: stage.measurements.filter((name) => only.has(name)),
    }))
    .filter(({ measurements }) => measurements.length > 0);
}

/** A stage in words. */
export function titleOf({ nodes, deadShare, icmpFiltered }: StagePlan): string {
  return [
    `${count(nodes)} nodes`,
    ...(deadShare > 0 ? [`${percent(deadShare).replace('.0', '')} dead`] : []),
    ...(icmpFiltered ? ['ICMP filtered'] : []),
  ].join(', ');
}
