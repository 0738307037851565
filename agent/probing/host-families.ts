import { isIPv6 } from 'node:net';
import { ownAddresses } from '../platform/own-addresses.js';

/**
 * Whether this host has no address from which it could send to that one: IPv6 is switched off
 * (`disable_ipv6`), say. A loopback address of the host serves for loopback addresses alone.
 */
export function lacksFamilyOf(ip: string): boolean {
  const wanted = isIPv6(ip) ? 'IPv6' : 'IPv4';
  const isLoopback = ip === '::1' || ip.startsWith('127.');
  const own = ownAddresses();
  return (
    own !== undefined &&
    !own.some(({ family, internal }) => family === wanted && (isLoopback || !internal))
  );
}
