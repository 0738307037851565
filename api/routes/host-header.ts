import { isIP } from 'node:net';

/** Whether a Host header is an IP address or localhost, so no name that a page had resolved to us. */
export function isKnownHost(header: string): boolean {
  const host = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(header)?.[1] ?? '';
  return host === 'localhost' || isIP(host.replace(/^\[(.*)\]$/, '$1')) > 0;
}
