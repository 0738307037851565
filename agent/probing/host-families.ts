import { BlockList, isIPv6 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import { ownAddresses } from '../platform/own-addresses.js';

const linkLocal = new BlockList();
linkLocal.addSubnet('fe80::', 10, 'ipv6');

/**
 * Whether this host has no address from which it could send to that one: IPv6 is switched off
 * (`disable_ipv6`), say. A loopback address of the host serves for loopback addresses alone, and a link-local one for its link.
 */
export function lacksFamilyOf(ip: string): boolean {
  const wanted = isIPv6(ip) ? 'IPv6' : 'IPv4';
  const isLoopback = ip === '::1' || ip.startsWith('127.');
  const serves = ({ address, family, internal }: NetworkInterfaceInfo): boolean =>
    family === wanted && (isLoopback || !internal) && (!isLinkLocal(address) || isLinkLocal(ip));
  return ownAddresses()?.some(serves) === false;
}

function isLinkLocal(ip: string): boolean {
  return isIPv6(ip) && linkLocal.check(ip, 'ipv6');
}
