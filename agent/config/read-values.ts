import { isIP } from 'node:net';

/** Where responders answer unless they are told otherwise. */
export const defaultProbePort = 4240;

/** What an address to listen on looks like, for messages. */
export const listenAddressesForm = 'one or more IP addresses';

/** A whole number within bounds, from text or as a number; undefined where it is none. */
export function readWholeNumber(raw: unknown, min: number, max: number): number | undefined {
  const value = typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : raw;
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    ? value
    : undefined;
}

/**
 * IP addresses from a list or a text with commas, each once, however it is spelled; undefined where
 * there is none, or where one of them is no IP address or has a zone.
 */
export function readAddresses(raw: unknown): string[] | undefined {
  const items: unknown[] = typeof raw === 'string' ? raw.split(',') : Array.isArray(raw) ? raw : [];
  const ips = items.map((item) => (typeof item === 'string' ? item.trim() : ''));
  if (ips.length === 0 || ips.some((ip) => isIP(ip) === 0 || ip.includes('%'))) return undefined;
  return [...new Set(ips.map(canonical))];
}

function canonical(ip: string): string {
  return isIP(ip) === 6 ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip;
}

/** The variable that sets a setting: `icmp-interval` is `MESHPROBE_ICMP_INTERVAL`. */
export function variableOf(name: string): string {
  return `MESHPROBE_${name.toUpperCase().replaceAll('-', '_')}`;
}
