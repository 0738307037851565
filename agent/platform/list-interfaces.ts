import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

/** The interfaces of this host or pod. Undefined where they cannot be listed: that takes a descriptor, and a netlink socket. */
export function listInterfaces(): NodeJS.Dict<NetworkInterfaceInfo[]> | undefined {
  try {
    return networkInterfaces();
  } catch {
    return undefined;
  }
}
