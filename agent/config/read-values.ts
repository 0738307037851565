import { isIP } from 'node:net';
import { isLabelName, mostGroupLabels } from '../model/node-labels.js';

/** Where responders answer by default. */
export const defaultProbePort = 4240;

/** What an address to listen on looks like, for messages. */
export const listenAddressesForm = 'one or more IP addresses';

/** A whole number within bounds, from text or as a number; undefined if it is none. */
export function readWholeNumber(raw: unknown, min: number, max: number): number | undefined {
  const value = typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : raw;
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    ? value
    : undefined;
}

/**
 * IP addresses from a list or a text with commas, each once, however it is spelled; undefined if
 * there is none, or if one of them is no IP address or has a zone.
 */
export function readAddresses(raw: unknown): string[] | undefined {
  return readList(raw, (ip) =>
    isIP(ip) === 0 || ip.includes('%') ? undefined : canonicalAddress(ip),
  );
}

/**
 * IP addresses and networks in CIDR notation from a list or a text with commas, each once; undefined
 * if there is none, or if one of them is neither.
 */
export function readAddressRanges(raw: unknown): string[] | undefined {
  return readList(raw, (item) => {
    const [ip = '', bits, ...rest] = item.split('/');
    const family = isIP(ip);
    if (family === 0 || ip.includes('%') || rest.length > 0) return undefined;
    const address = canonicalAddress(ip);
    if (bits === undefined) return address;
    const length = readWholeNumber(bits, 0, family === 6 ? 128 : 32);
    return length === undefined ? undefined : `${address}/${length}`;
  });
}

/**
 * Host names from a list or a text with commas, each once, in lower case and without the dot of the
 * root; undefined if there is none, or if one of them is no name. An IP address is no name.
 */
export function readHostNames(raw: unknown): string[] | undefined {
  return readList(raw, (item) => {
    const name = item.toLowerCase().replace(/\.$/, '');
    const isHostName = name.length <= 253 && hostName.test(name) && isIP(name) === 0;
    return isHostName ? name : undefined;
  });
}

// A label is at most 63 characters (RFC 1035, 2.3.4); names of containers may have an underscore.
const hostName =
  /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/**
 * Web origins from a list or a text with commas, each once, as browsers write them; undefined if
 * there is none, or if one of them is no origin. `*` is none: any page could then read the cluster.
 */
export function readOrigins(raw: unknown): string[] | undefined {
  return readList(raw, (item) => {
    const origin = item.toLowerCase();
    if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return undefined;
    const { origin: canonical, hostname } = new URL(origin);
    // A path, a user, a default port or a control character would not survive this.
    if (canonical !== origin) return undefined;
    return hostname.startsWith('[') || hostName.test(hostname) ? origin : undefined;
  });
}

/** Names of labels from a list or a text with commas, each once; undefined if there is none, one is no name, or there are too many. */
export function readGroupLabels(raw: unknown): string[] | undefined {
  const labels = readList(raw, (label) => (isLabelName(label) ? label : undefined));
  return labels && labels.length <= mostGroupLabels ? labels : undefined;
}

/** The name of a namespace of Kubernetes: a label of DNS. */
export const namespacePattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The agent watches each of them by a connection of its own. */
export const mostNamespaces = 4;

/** Names of namespaces from a list or a text with commas, each once; undefined if there is none, or too many, or another word. */
export function readNamespaces(raw: unknown): string[] | undefined {
  const names = readList(raw, (name) => (namespacePattern.test(name) ? name : undefined));
  return names && names.length <= mostNamespaces ? names : undefined;
}

/** Each value once; undefined if there is none, or if the reader takes one of them for none. */
function readList(raw: unknown, read: (item: string) => string | undefined): string[] | undefined {
  const items: unknown[] = typeof raw === 'string' ? raw.split(',') : Array.isArray(raw) ? raw : [];
  const values = items.map((item) => (typeof item === 'string' ? read(item.trim()) : undefined));
  if (values.length === 0 || values.includes(undefined)) return undefined;
  return [...new Set(values as string[])];
}

function canonicalAddress(ip: string): string {
  return isIP(ip) === 6 ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip;
}

/** The variable that sets a setting: `icmp-interval` is `MESHPROBE_ICMP_INTERVAL`. */
export function variableOf(name: string): string {
  return `MESHPROBE_${name.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * Whether Kubernetes has set a variable, and nobody else: beside a Service `meshprobe-udp` each container gets
 * `MESHPROBE_UDP_PORT=tcp://10.96.0.9:80`.
 */
export function isServiceLink(variable: string, value: string): boolean {
  return variable.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value);
}
