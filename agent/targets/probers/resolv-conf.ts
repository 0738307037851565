import { isIP } from 'node:net';
import { hostAndPort } from '../../model/host-and-port.js';
import { readRegularFile } from '../../platform/read-regular-file.js';

/** What resolv.conf(5) says of how names are resolved. */
export interface ResolvConf {
  /** IP addresses, with a port where it is not 53. A link-local one with a zone is left out: it is none that Node's resolver takes. */
  readonly nameservers: readonly string[];
  readonly search: readonly string[];
  readonly ndots: number;
}

export const defaultResolvConf = '/etc/resolv.conf';
const maxBytes = 64 * 1024;
/** More are not asked by any resolver (MAXNS is 3 in glibc; some systems list more). */
export const maxNameservers = 8;
const maxSearch = 32;

/**
 * Reads resolv.conf.
 * @throws Error where it cannot be read
 */
export function readResolvConf(path: string): ResolvConf {
  return parseResolvConf(readRegularFile(path, maxBytes));
}

/** Reads the text of a resolv.conf. What is unknown or bad in it is left out, as resolvers do. */
export function parseResolvConf(text: string): ResolvConf {
  const nameservers = new Set<string>();
  let search: string[] = [];
  let ndots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line.trim().split(/\s+/);
    const [first = ''] = words;
    const server = keyword === 'nameserver' ? serverOf(first) : undefined;
    if (server !== undefined) nameservers.add(server);
    // The last of these lines counts.
    if (keyword === 'search' || keyword === 'domain') search = words.map(withoutDots);
    if (keyword === 'options') {
      for (const word of words) {
        const digits = /^ndots:(\d{1,2})$/.exec(word)?.[1];
        if (digits !== undefined) ndots = Math.min(Number(digits), 15);
      }
    }
  }
  return {
    nameservers: [...nameservers].slice(0, maxNameservers),
    search: search.filter((domain) => domain !== '').slice(0, maxSearch),
    ndots,
  };
}

/** Node's resolver, c-ares, takes `[IP]:PORT` too. */
function serverOf(text: string): string | undefined {
  const [, bracketed, port] = /^\[([^[\]]+)\]:(\d{1,5})$/.exec(text) ?? [];
  const ip = bracketed ?? text;
  if (isIP(ip) === 0 || ip.includes('%')) return undefined;
  return port === undefined ? ip : hostAndPort(ip, port);
}

function withoutDots(domain: string): string {
  return domain.toLowerCase().replace(/^\.+|\.+$/g, '');
}

/** The domain of the cluster: the kubelet writes `svc.DOMAIN` into the search list of pods. */
export function clusterDomainOf({ search }: ResolvConf): string | undefined {
  return search.find((domain) => domain.startsWith('svc.'))?.slice('svc.'.length);
}
