import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

/** The addresses of this host or pod. Undefined where they cannot be read: that takes a descriptor, and a netlink socket. */
export function ownAddresses(): readonly NetworkInterfaceInfo[] | undefined {
  try {
    return Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  } catch {
    return undefined;
  }
}
