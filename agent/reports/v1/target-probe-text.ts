import type { TargetProbe } from '../../model/target.js';

/** What is probed, in short. A URL may hold secrets: its user, password and query are left out. */
export function targetProbeText(probe: TargetProbe): string {
  switch (probe.kind) {
    case 'dns': {
      const { query, type, servers } = probe.dns;
      return `${type} ${query} at ${servers.length > 0 ? servers.join(', ') : 'its own nameservers'}`;
    }
    case 'tcp': {
      const { host, port } = probe.tcp;
      return `${host.includes(':') ? `[${host}]` : host}:${port}`;
    }
    case 'http':
      return `${probe.http.method} ${shortUrl(probe.http.url)}`;
    case 'icmp':
      return probe.host;
  }
}

function shortUrl(text: string): string {
  const { protocol, host, pathname, search } = new URL(text);
  return `${protocol}//${host}${pathname}${search === '' ? '' : '?...'}`;
}
