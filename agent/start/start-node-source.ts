import { basename, join } from 'node:path';
import type { Logger } from 'pino';
import type { Cluster } from '../cluster/cluster.js';
import type { Config } from '../config/config.js';
import { createNodeSource, type KeepOptions } from '../discovery/create-node-source.js';
import type { ListedNodes } from '../discovery/kubernetes/kubernetes-source.js';
import type { Node } from '../model/node.js';
import type { Peers } from '../peers/peers.js';
import { escapeControls } from '../platform/format-value.js';
import { latestOnly } from '../platform/latest-only.js';
import type { Problems } from '../platform/problems.js';
import type { Scheduler } from '../probing/schedule/scheduler.js';
import type { ResultStore } from '../results/result-store.js';
import type { Selfcheck } from '../selfcheck/create-selfcheck.js';
import type { LargePackets } from '../path-tests/large/large-packets.js';
import type { Mesh } from './create-mesh.js';
import type { Targets } from './create-targets.js';
import type { Udp } from './create-udp.js';
import type { Stops } from './stops.js';

export interface StartNodeSourceOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly problems: Problems;
  /** The script that reads a nodes file on a thread of its own. */
  readonly nodesFileWorker: URL;
  readonly store: ResultStore;
  readonly peers: Peers;
  readonly mesh: Mesh;
  readonly targets: Targets | undefined;
  readonly large: LargePackets;
  readonly udp: Udp | undefined;
  readonly scheduler: Scheduler;
  readonly cluster: Cluster;
  readonly selfcheck: Selfcheck;
  readonly refreshPlan: () => void;
  /** Who else wants the nodes of Kubernetes as its API server shows them. */
  readonly onListedNodes: ((listed: ListedNodes) => void) | undefined;
  readonly onFailure: (reason: Error) => void;
}

/**
 * Starts the node source, and hands each node list to every part of the agent. The first list starts
 * the probing.
 * @throws ConfigError where the first list is bad
 */
export async function startNodeSource(
  options: StartNodeSourceOptions,
  stops: Stops,
): Promise<void> {
  const { config, logger, store, peers, mesh, scheduler, cluster, selfcheck } = options;
  const report = selfcheck.nodeSource.onSourceState.bind(selfcheck.nodeSource);
  const source = createNodeSource({
    ...config,
    ...options,
    report,
    keep: keepIn(options),
    watchesWhole: config.kubernetesStatus?.conditions === true,
  });
  stops.add(() => source.stop());
  const takeNodes = latestOnly(async (nodes: readonly Node[]) => {
    const listed = config.probeEndpoints ? nodes : nodes.map(withoutEndpoint);
    const changes = await store.setNodesInSlices(listed);
    await peers.updateInSlices(listed, changes);
    mesh.update();
    await scheduler.updateInSlices(changes);
    options.targets?.setNodes(listed.length);
    options.large.setNodes(listed);
    options.udp?.setNodes(listed);
    options.refreshPlan();
    selfcheck.onNodeList(listed);
    await cluster.onNodeList(listed);
    logger.info(
      {
        nodes: listed.length,
        pathsAdded: changes.added.length,
        pathsRemoved: changes.removed.length,
      },
      'node list received',
    );
  }, options.onFailure);
  await source.start(takeNodes);
}

/** Two agents of a host have sockets of different names, as a rule, and so different files. */
function keepIn({ config, logger, problems }: StartNodeSourceOptions): KeepOptions | undefined {
  const { stateFolder, socketPath } = config;
  if (stateFolder === undefined) return undefined;
  return {
    prefix: join(stateFolder, basename(socketPath)),
    onProblem(file, reason) {
      const cause = `state-folder:${file}` as const;
      if (reason === undefined) problems.clear(cause);
      else if (problems.set(cause, escapeControls(`the kept node list: ${reason}`))) {
        logger.warn({ reason }, 'the node list cannot be kept, or is not used');
      }
    },
  };
}

function withoutEndpoint(node: Node): Node {
  return { ...node, endpoint: [] };
}
