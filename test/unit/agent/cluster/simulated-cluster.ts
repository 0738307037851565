import { Cluster } from '../../../../agent/cluster/cluster.js';
import { V1Bodies } from '../../../../agent/cluster/v1-bodies.js';
import type { Node } from '../../../../agent/model/node.js';
import { Peers } from '../../../../agent/peers/peers.js';
import { makeStore } from '../../../rows/make-store.js';
import { VirtualClock } from '../../../sim/lib/virtual-clock.js';

/** What the agent of the first node knows of a cluster, on a virtual clock. It sends nothing. */
export function createSimulatedCluster(
  nodes: readonly Node[],
  onHostChange: (node: string, change: string) => void = () => undefined,
) {
  const localName = nodes[0]?.name ?? '';
  const clock = new VirtualClock();
  const store = makeStore({ each: { failures: 3, recovery: 2 }, clock });
  const own = { version: '1.2.3', httpIntervalMs: 5000, httpTimeoutMs: 1000 };
  const peers = new Peers({
    localName,
    clock,
    paths: store,
    isMeshOn: true,
    head: () => ({ ...own, ready: true, starved: false }),
  });
  const cluster = new Cluster({
    localName,
    clusterName: 'c',
    probePort: 4240,
    namespace: undefined,
    clock,
    store,
    observers: peers,
    isSwept: () => true,
    askForRows: () => undefined,
    onHostChange,
  });
  const changes = store.setNodes(nodes);
  peers.update(nodes, changes);
  void cluster.onNodeList(nodes);
  const v1 = new V1Bodies({ cluster, store });
  return { clock, store, peers, cluster, v1, paths: changes.added };
}
