import { version } from '../../api/version.js';
import type { Config } from '../config/config.js';
import { Peers } from '../peers/peers.js';
import { intervalsOf } from '../peers/row/sweeps.js';
import { systemClock } from '../platform/clock.js';
import type { ResultStore } from '../results/result-store.js';
import type { TargetsView } from '../targets/views.js';
import type { FlowTests } from './create-flow-tests.js';
import type { HostMonitor } from '../host/host-monitor.js';
import type { AgentNotices } from './create-notices.js';
import type { LargePackets } from '../path-tests/large/large-packets.js';

export interface CreatePeersOptions {
  readonly config: Config;
  readonly store: ResultStore;
  readonly targets: TargetsView | undefined;
  readonly flows: FlowTests;
  readonly large: LargePackets;
  readonly host: HostMonitor | undefined;
  /** What tells of findings; undefined where nobody is to be told, or not yet. */
  readonly notices: () => AgentNotices | undefined;
  readonly isReady: () => boolean;
  readonly isStarved: () => boolean;
}

/** Creates what is known of the other agents, and this agent's own row. */
export function createPeers(options: CreatePeersOptions): Peers {
  const { config, store, targets, flows, large, host, notices, isReady, isStarved } = options;
  const { intervalMs, timeoutMs } = config.cadence.http;
  return new Peers({
    localName: config.localName,
    clock: systemClock,
    paths: store.paths,
    ...(targets && { targets: () => targets.rowTargets() }),
    flowsOf: (path) => flows.rowFlowsOf(path),
    large: () => large.row(),
    ...(host && { signs: () => host.signs(), changes: () => host.changes() }),
    notices: () => notices()?.row() ?? [],
    isMeshOn: config.mesh !== undefined,
    head: () => ({
      version,
      httpIntervalMs: store.plan.http?.intervalMs ?? intervalMs,
      httpTimeoutMs: timeoutMs,
      intervalsMs: intervalsOf(store.plan),
      ready: isReady(),
      starved: isStarved(),
    }),
  });
}
