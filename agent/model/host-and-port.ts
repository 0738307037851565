import { isIPv6 } from 'node:net';

/** A host and a port as they are written together: an IPv6 address stands in brackets (RFC 3986, section 3.2.2). */
export function hostAndPort(host: string, port: number | string): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The address of a DNS server. */
export interface ServerAddress {
  readonly ip: string;
  readonly port: number;
}

/** Takes `IP`, `IP:PORT` or `[IPv6]:PORT` apart, as definitions have DNS servers. */
export function serverAddressOf(server: string): ServerAddress {
  const colon = server.lastIndexOf(':');
  if (isIPv6(server) || colon === -1) return { ip: server, port: 53 };
  return {
    ip: server.slice(0, colon).replace(/^\[|\]$/g, ''),
    port: Number(server.slice(colon + 1)),
  };
}
