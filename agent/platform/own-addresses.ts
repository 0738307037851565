import type { NetworkInterfaceInfo } from 'node:os';
import { listInterfaces } from './list-interfaces.js';

/** The addresses of this host or pod. Undefined where they cannot be listed. */
export function ownAddresses(): readonly NetworkInterfaceInfo[] | undefined {
  const interfaces = listInterfaces();
  return interfaces && Object.values(interfaces).flatMap((addresses) => addresses ?? []);
}
