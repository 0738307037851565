import type { Cluster } from '../cluster/cluster.js';
import type { Config } from '../config/config.js';
import type { Node } from '../model/node.js';
import { freshForMs } from '../model/row.js';
import type { Peers } from '../peers/peers.js';
import { systemClock } from '../platform/clock.js';
import type { EventLoop } from '../platform/event-loop.js';
import type { Standstill } from '../platform/standstill.js';
import type { Scheduler } from '../probing/schedule/scheduler.js';
import { othersHeard } from '../turns/quorum.js';
import type { TurnSituation } from '../turns/turn-situation.js';
import { isStarved } from './starvation.js';

export interface TurnSources {
  readonly config: Pick<Config, 'localName' | 'clusterName'>;
  readonly eventLoop: EventLoop;
  readonly standstill: Pick<Standstill, 'isSettling'>;
  readonly peers: Peers;
  readonly scheduler: Scheduler;
  readonly cluster: Cluster;
  /** Whether the kubelet is told that this agent is ready. */
  readonly isReady: () => boolean;
}

/** What decides now which agent of the own cluster has its turn, and the nodes of that cluster. */
export function turnSituation({
  config,
  eventLoop,
  standstill,
  peers,
  scheduler,
  cluster,
  isReady,
}: TurnSources): TurnSituation & { readonly own: readonly Node[] } {
  const { localName, clusterName } = config;
  const own = cluster.overview().nodes.filter(({ name }) => name.startsWith(`${clusterName}/`));
  const { row } = peers.ownRowOf(Infinity);
  const names = own
    .filter((node) => node.name !== localName && phaseOf(node) === 'active')
    .map(({ name }) => name);
  return {
    own,
    nowMs: systemClock.nowMs(),
    localName,
    isReady: isReady() && scheduler.isSwept && !isStarved(eventLoop) && !standstill.isSettling(),
    others: othersHeard(names, row, {
      heardMsAgo: (name) => peers.heardMsAgo(name),
      isReady: (name) => peers.observers.isReady(name),
    }),
    freshForMs: freshForMs(row),
  };
}

/** The phase of a node: one of which nothing is known is active. */
export function phaseOf({ lifecycle }: Node): NonNullable<Node['lifecycle']>['phase'] {
  return lifecycle?.phase ?? 'active';
}
