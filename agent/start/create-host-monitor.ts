import { uptime } from 'node:os';
import { version } from '../../api/version.js';
import type { Config } from '../config/config.js';
import { hostFacts } from '../host/facts.js';
import { HostMonitor, type PodNetwork } from '../host/host-monitor.js';
import { OwnInterfaces } from '../host/own-interfaces.js';
import { hostSources } from '../host/sources.js';
import type { OwnConnects } from '../host/sources/own-connects.js';
import type { PeerClocks } from '../host/sources/peer-clocks.js';
import { systemClock } from '../platform/clock.js';

export interface CreateHostMonitorOptions {
  readonly config: Pick<Config, 'hostSigns'>;
  /** The host addresses of the own node; none while it is not listed. */
  readonly hostIps: () => readonly string[];
  /** What the answers of peers say of their clocks. */
  readonly peerClocks: PeerClocks;
  /** What came of the connects of this agent. */
  readonly connects: OwnConnects;
  /** What the endpoint of this node tells of the pod network; undefined where it is not asked. */
  readonly pods: (() => PodNetwork | undefined) | undefined;
  readonly onNews: () => void;
}

/** Creates what reads the counters of this host; undefined where that is off. */
export function createHostMonitor({
  config,
  hostIps,
  peerClocks,
  connects,
  pods,
  onNews,
}: CreateHostMonitorOptions): HostMonitor | undefined {
  if (!config.hostSigns) return undefined;
  const interfaces = new OwnInterfaces(hostIps);
  const from = {
    proc: '/proc',
    sys: '/sys',
    interfaces: () => interfaces.watched(systemClock.nowMs()),
  };
  const monitor = new HostMonitor({
    clock: systemClock,
    plane: 'host',
    ...(pods && { pods }),
    onNews,
    facts: hostFacts({ ...from, etc: '/etc' }),
    sources: [...hostSources(from), connects, peerClocks],
  });
  const nowMs = systemClock.nowMs();
  monitor.log.note('rebooted', nowMs - 1000 * uptime());
  monitor.log.note('agent-restarted', nowMs - 1000 * process.uptime(), version);
  return monitor;
}
