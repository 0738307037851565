import type { ResponderFlags } from '../commands/responder-flags.js';
import { startUdpEcho } from '../serving/responder/udp-echo.js';
import { openEndpointKeys, type EndpointLog } from './endpoint-keys.js';

/**
 * Answers the datagrams of agents in the pod network. An endpoint does not know the node list, and the source
 * addresses of agents may be translated on the way: it answers what the mesh key has signed, from anywhere.
 * @throws StartError where the port cannot be had, ConfigError where the key is not good
 */
export async function startEndpointUdp(
  { addresses, meshKeyFile }: Pick<ResponderFlags, 'addresses' | 'meshKeyFile'>,
  port: number,
  warn: EndpointLog,
  onFailure: (reason: Error) => void,
): Promise<() => Promise<void>> {
  const [keys, stopKeys] = openEndpointKeys(meshKeyFile, warn);
  const echo = await startUdpEcho({
    addresses,
    port,
    keys,
    isAllowed: () => keys.isKeyed,
    nowMs: () => performance.now(),
    onFailure,
  }).catch((error: unknown) => {
    stopKeys();
    throw error;
  });
  return async () => {
    stopKeys();
    await echo.stop();
  };
}
