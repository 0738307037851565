import { Cluster } from '../../../../agent/cluster/cluster.js';
import { V1Bodies } from '../../../../agent/cluster/v1-bodies.js';
import type { Node } from '../../../../agent/model/node.js';
import type { Path } from '../../../../agent/model/path.js';
import { protocols, type Outcome, type Protocol } from '../../../../agent/model/sample.js';
import { Peers } from '../../../../agent/peers/peers.js';
import { makeStore } from '../../../rows/make-store.js';
import { VirtualClock } from '../../../sim/lib/virtual-clock.js';

/** The answer to a probe. */
export const reply = { outcome: 'reply', rttNs: 1e5 } as const;

/** What becomes of a probe in a second. */
type Probed = (path: Path, protocol: Protocol, second: number) => Outcome;

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
    paths: store.paths,
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
  let paths: readonly Path[] = [];
  const list = (listed: readonly Node[]): void => {
    const changes = store.setNodes(listed);
    peers.update(listed, changes);
    void cluster.onNodeList(listed);
    paths = [...paths.filter((path) => !changes.removed.includes(path)), ...changes.added];
  };
  list(nodes);
  /** In each second until then all paths are probed, and others tell something after that. */
  const run = (untilS: number, probed: Probed, tell: (second: number) => void): void => {
    for (let second = clock.nowMs() / 1000 + 1; second <= untilS; second++) {
      clock.runUntil(1000 * second);
      const times = { sentMs: clock.nowMs(), at: clock.wallMs() };
      for (const path of paths)
        for (const protocol of protocols)
          store.record(path, protocol, { ...probed(path, protocol, second), ...times });
      tell(second);
    }
  };
  /** These nodes tell that they see what this agent sees. */
  const tellTheSame = (from: number, to: number, second: number): void => {
    const { row } = peers.ownRowOf(0);
    for (let at = from; at < to; at++)
      peers.observers.keep({ ...row, observer: `c/n${at}` }, `p.${second}`, 0, clock.nowMs());
  };
  const v1 = new V1Bodies({ cluster, store });
  return { clock, store, peers, cluster, v1, list, run, tellTheSame };
}
