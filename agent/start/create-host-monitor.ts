import type { Config } from '../config/config.js';
import { HostMonitor } from '../host/host-monitor.js';
import { OwnInterfaces } from '../host/own-interfaces.js';
import { hostSources } from '../host/sources.js';
import { systemClock } from '../platform/clock.js';

export interface CreateHostMonitorOptions {
  readonly config: Pick<Config, 'hostSigns'>;
  /** The host addresses of the own node; none while it is not listed. */
  readonly hostIps: () => readonly string[];
  readonly onSigns: () => void;
}

/** Creates what reads the counters of this host; undefined where that is off. */
export function createHostMonitor({
  config,
  hostIps,
  onSigns,
}: CreateHostMonitorOptions): HostMonitor | undefined {
  if (!config.hostSigns) return undefined;
  const interfaces = new OwnInterfaces(hostIps);
  return new HostMonitor({
    clock: systemClock,
    plane: 'host',
    onSigns,
    sources: hostSources({
      proc: '/proc',
      sys: '/sys',
      interfaces: () => interfaces.watched(systemClock.nowMs()),
    }),
  });
}
