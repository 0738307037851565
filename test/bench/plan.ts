import type { Engine } from './environment/agent.js';
import type { Measurement } from './measurements.js';
import type { Options } from './options.js';
import { count, percent } from './report/numbers.js';

/** One agent with one cluster, and its measurements. */
export interface StagePlan {
  readonly nodes: number;
  readonly deadShare: number;
  readonly engine: Engine;
  readonly icmpFiltered: boolean;
  readonly measurements: readonly Measurement[];
}

const healthy = { deadShare: 0, engine: 'kernel', icmpFiltered: false } as const;

type Stage = StagePlan & {
  /** The measurements that a quick run leaves out. */
  readonly unlessQuick?: readonly Measurement[];
};

const stages: readonly Stage[] = [
  { ...healthy, nodes: 10, measurements: ['rtt', 'cli'] },
  { ...healthy, nodes: 100, measurements: ['start', 'cost', 'detection'] },
  {
    ...healthy,
    nodes: 1000,
    measurements: ['start', 'cost', 'rtt', 'detection', 'cli', 'load', 'cluster'],
  },
  {
    ...healthy,
    nodes: 5000,
    measurements: ['start', 'cost', 'rtt', 'detection', 'cli'],
  },
  { ...healthy, nodes: 5000, measurements: ['status'] },
  {
    ...healthy,
    nodes: 100,
    deadShare: 0.3,
    measurements: ['cost'],
    unlessQuick: ['cost'],
  },
  {
    ...healthy,
    nodes: 1000,
    deadShare: 0.3,
    measurements: ['start', 'cost'],
    unlessQuick: ['cost'],
  },
  {
    ...healthy,
    nodes: 5000,
    deadShare: 0.3,
    measurements: ['cost', 'detection'],
    unlessQuick: ['cost', 'detection'],
  },
  ...[10, 1000, 5000].map((nodes): Stage => ({
    ...healthy,
    nodes,
    engine: 'net-ping',
    measurements: ['rtt'],
    unlessQuick: ['rtt'],
  })),
  ...[100, 1000, 5000].map((nodes): Stage => ({
    ...healthy,
    nodes,
    icmpFiltered: true,
    measurements: ['detection'],
    unlessQuick: nodes === 100 ? [] : ['detection'],
  })),
];

/** Returns the stages in which one of the wanted measurements runs. */
export function planStages({ only, sizes, quick }: Options): StagePlan[] {
  return stages
    .filter(({ nodes }) => sizes.has(nodes))
    .map(({ unlessQuick = [], ...stage }) => ({
      ...stage,
      measurements: stage.measurements.filter(
        (name) => only.has(name) && !(quick && unlessQuick.includes(name)),
      ),
    }))
    .filter(({ measurements }) => measurements.length > 0);
}

/** Describes a stage in words. */
export function titleOf({ nodes, deadShare, icmpFiltered }: StagePlan): string {
  return [
    `${count(nodes)} nodes`,
    ...(deadShare > 0 ? [`${percent(deadShare).replace('.0', '')} dead`] : []),
    ...(icmpFiltered ? ['ICMP filtered'] : []),
  ].join(', ');
}
