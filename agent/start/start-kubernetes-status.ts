import type { Logger } from 'pino';
import type { Cluster } from '../cluster/cluster.js';
import type { V1Bodies } from '../cluster/v1-bodies.js';
import type { Config } from '../config/config.js';
import { createApiClient } from '../discovery/kubernetes/api-client.js';
import { createKubeAccess } from '../discovery/kubernetes/kube-access.js';
import type { ListedNodes } from '../discovery/kubernetes/kubernetes-source.js';
import { isReachedByHalf, type Reach } from '../kubernetes-status/peers-reached.js';
import type { OwnNode, Situation } from '../kubernetes-status/situation.js';
import { StatusWriter } from '../kubernetes-status/status-writer.js';
import type { Node } from '../model/node.js';
import type { Peers } from '../peers/peers.js';
import { nodesOf } from '../reports/v1/finding-nodes.js';
import { systemClock } from '../platform/clock.js';
import type { EventLoop } from '../platform/event-loop.js';
import type { Problems } from '../platform/problems.js';
import type { Standstill } from '../platform/standstill.js';
import type { Scheduler } from '../probing/schedule/scheduler.js';
import type { ResultStore } from '../results/result-store.js';
import type { Selfcheck } from '../selfcheck/create-selfcheck.js';
import type { Stops } from './stops.js';
import { phaseOf, turnSituation } from './turn-situation.js';

export interface StartKubernetesStatusOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly problems: Problems;
  readonly eventLoop: EventLoop;
  readonly standstill: Pick<Standstill, 'isSettling'>;
  readonly store: ResultStore;
  readonly peers: Peers;
  readonly scheduler: Scheduler;
  readonly cluster: Cluster;
  readonly v1: Pick<V1Bodies, 'node'>;
  readonly selfcheck: Selfcheck;
}

/**
 * Starts to write conditions and Events, where they are asked for. Returns who is to be told of the
 * nodes as the API server shows them.
 */
export function startKubernetesStatus(
  options: StartKubernetesStatusOptions,
  stops: Stops,
): ((listed: ListedNodes) => void) | undefined {
  const { config, logger, problems } = options;
  const { kubernetesStatus } = config;
  if (!kubernetesStatus) return undefined;
  let listed: ListedNodes | undefined;
  const writer = new StatusWriter({
    client: createApiClient(createKubeAccess(kubernetesStatus.identity)),
    clock: systemClock,
    logger,
    problems,
    writesConditions: kubernetesStatus.conditions,
    writesEvents: kubernetesStatus.events,
    situation: () => situationOf(options, listed),
  });
  stops.add(() => writer.stop());
  return (now) => (listed = now);
}

function situationOf(
  options: StartKubernetesStatusOptions,
  listed: ListedNodes | undefined,
): Situation {
  const { config, store, cluster, selfcheck } = options;
  const { clusterName } = config;
  const { findings, standsFor } = cluster.overview();
  const { own, ...turn } = turnSituation({ ...options, isReady: () => selfcheck.isReady() });
  const shortName = (name: string) => name.slice(clusterName.length + 1);
  const listedNames = new Set(own.map(({ name }) => name));
  return {
    ...turn,
    wallMs: systemClock.wallMs(),
    findings: findings.map((finding) => {
      const named = nodesOf(finding, standsFor).filter((name) => listedNames.has(name));
      return { finding, nodes: new Set(named.map(shortName)) };
    }),
    nodes: new Map(own.map((node): [string, OwnNode] => [shortName(node.name), ownNode(node)])),
    listed,
    reaches: (name) => reaches(store, name),
    isReachedByHalf: async (name) => {
      const reach = await reachOf(`${clusterName}/${name}`, options);
      const activeNodes = own.filter((node) => phaseOf(node) === 'active').length;
      return reach !== undefined && isReachedByHalf({ ...reach, activeNodes });
    },
  };
}

/** What the rows of all observers, and its own, say of a node; undefined where it is not listed. */
async function reachOf(
  name: string,
  { config, peers, v1 }: Pick<StartKubernetesStatusOptions, 'config' | 'peers' | 'v1'>,
): Promise<Omit<Reach, 'activeNodes'> | undefined> {
  const node = await v1.node(name);
  if (!('seenBy' in node)) return undefined;
  const { nodeSource } = config;
  let counts: Reach['counts'];
  for (const { row, freshness } of peers.rows()) {
    if (row.observer === name && freshness === 'fresh') counts = row.counts;
  }
  return {
    seenBy: node.seenBy,
    counts,
    hasEndpoint: node.addresses.endpoint.length > 0,
    wantsEndpoint: nodeSource.kind === 'kubernetes' && nodeSource.endpoints.kind !== 'none',
  };
}

function ownNode(node: Node): OwnNode {
  return { name: node.name, phase: phaseOf(node) };
}

/** Whether none of the primary paths to a node fails, and one answers. */
function reaches(store: ResultStore, name: string): boolean {
  const states = [...store.paths.primaryStatesOf(name)];
  return states.includes('reachable') && !states.includes('unreachable');
}
