import { HostMonitor } from '../host/host-monitor.js';
import { OwnInterfaces } from '../host/own-interfaces.js';
import { networkSources } from '../host/sources.js';
import type { EndpointHost } from '../model/endpoint-host.js';
import type { Clock } from '../platform/clock.js';
import { networkNamespace } from '../platform/network-namespace.js';
import { ownAddresses } from '../platform/own-addresses.js';

/** Reads the network that an endpoint is in, from the first time on that its agent asks for it. */
export function createPodMonitor(clock: Clock): { seen(): EndpointHost; stop(): void } {
  const interfaces = new OwnInterfaces(() => ownAddresses()?.map(({ address }) => address) ?? []);
  const monitor = new HostMonitor({
    clock,
    plane: 'endpoint',
    sources: networkSources({
      proc: '/proc',
      sys: '/sys',
      interfaces: () => interfaces.watched(clock.nowMs()),
    }),
    facts: [],
    onNews: () => undefined,
  });
  let isStarted = false;
  return {
    seen() {
      if (!isStarted) monitor.start();
      isStarted = true;
      return {
        network: networkNamespace(),
        signs: monitor.signs(),
        missing: monitor.missing().flatMap(({ signs }) => signs),
      };
    },
    stop: () => monitor.stop(),
  };
}
