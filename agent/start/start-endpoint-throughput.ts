import type { ResponderFlags } from '../commands/responder-flags.js';
import { isSameNode } from '../model/node-name.js';
import { OneAtATime } from '../path-tests/throughput/one-at-a-time.js';
import { ThroughputServer } from '../path-tests/throughput/throughput-server.js';
import type { Upgrade } from '../serving/responder/answer.js';
import { openEndpointKeys, type EndpointLog } from './endpoint-keys.js';
import { kernelWhenNeeded, throughputUpgrade } from './throughput-upgrade.js';

/**
 * Takes part in the throughput tests of agents in the pod network. An endpoint does not know the node list, so it takes
 * part for who has the mesh key, whatever the address.
 * @throws ConfigError where the key is not good
 */
export function startEndpointThroughput(
  flags: Pick<ResponderFlags, 'meshKeyFile' | 'nodeName' | 'throughputIsInsecure'>,
  log: Readonly<Record<'info' | 'warn', EndpointLog>>,
): { readonly upgrade: Upgrade; stop(): void } {
  const { meshKeyFile, nodeName, throughputIsInsecure: isInsecure } = flags;
  const [keys, stopKeys] = openEndpointKeys(meshKeyFile, log.warn);
  if (isInsecure && !keys.isKeyed) {
    log.warn({}, 'throughput tests are not authenticated: --throughput-insecure, and no mesh key');
  }
  const server = new ThroughputServer({
    keys,
    isInsecure,
    isOwnName: (name) => nodeName === undefined || isSameNode(nodeName, name),
    isPeer: () => true,
    turn: new OneAtATime(),
    openKernel: kernelWhenNeeded(),
    log: log.info,
  });
  return {
    upgrade: throughputUpgrade(server),
    stop() {
      stopKeys();
      server.stop();
    },
  };
}
