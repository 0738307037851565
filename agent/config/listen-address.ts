import { BlockList, isIP } from 'node:net';
import { hostAndPort } from '../model/host-and-port.js';

/** Where to listen. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** The default of the health port. */
export const defaultHealthListen = '127.0.0.1:4241';

/** How a listen address is written, for messages. */
export const listenAddressForm = 'host:port, [ipv6]:port or a port alone';

/**
 * Reads `host:port`, `[v6]:port`, or a port alone, which means loopback. Undefined if it is none of
 * these. The host is an IP address or localhost.
 */
export function parseListenAddress(raw: unknown): ListenAddress | undefined {
  const match = /^(?:(?:\[([^\]]+)\]|([^:[\]]*)):)?(\d{1,5})$/.exec(String(raw));
  const port = Number(match?.[3] ?? NaN);
  if (!match || !(port <= 65535)) return undefined;
  if (match[1] !== undefined && isIP(match[1]) !== 6) return undefined;
  const host = match[1] ?? match[2] ?? '';
  if (match[1] === undefined && host !== '' && host !== 'localhost' && isIP(host) !== 4) {
    return undefined;
  }
  return { host: host === '' ? '127.0.0.1' : host, port };
}

/** Whether only processes of this host reach it. */
export function isLoopback({ host }: ListenAddress): boolean {
  if (host === 'localhost') return true;
  return loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether two listeners cannot have both. Port 0 is chosen by the kernel, and an unspecified address takes all. */
export function meet(a: ListenAddress, b: ListenAddress): boolean {
  const takesAll = ({ host }: ListenAddress): boolean => host === '0.0.0.0' || host === '::';
  return a.port === b.port && a.port !== 0 && (a.host === b.host || takesAll(a) || takesAll(b));
}

/** The address as a user would write it. */
export function formatListenAddress({ host, port }: ListenAddress): string {
  return hostAndPort(host, port);
}
