import { isIPv4, isIPv6 } from 'node:net';

/** An address as it is probed, or why it cannot be. */
export type AddressResult = { readonly ip: string } | { readonly refused: string };

/**
 * Reads one unicast IP literal and returns it in canonical form (RFC 5952 for IPv6), so that two
 * spellings of an address are one path. Refused: names, zones, unspecified, multicast, reserved
 * and link-local IPv6 addresses (those mean nothing without a zone).
 */
export function readAddress(text: string): AddressResult {
  if (isIPv4(text)) return readIPv4(text);
  if (text.includes('%')) return { refused: 'an address without a zone' };
  return isIPv6(text) ? readIPv6(text) : { refused: 'an IP address' };
}

/** Whether a text is an address of any kind, in any spelling. */
export function isAddress(text: string): boolean {
  return isIPv4(text) || isIPv6(text);
}

/** The two families of addresses. */
export const addressFamilies = ['ipv4', 'ipv6'] as const;
export type AddressFamily = (typeof addressFamilies)[number];

/** The families as people write them. */
export const familyNames: Readonly<Record<AddressFamily, string>> = { ipv4: 'IPv4', ipv6: 'IPv6' };

/** The family of an address in canonical form, as node lists have it. */
export function familyOf(ip: string): AddressFamily {
  return ip.includes(':') ? 'ipv6' : 'ipv4';
}

function readIPv4(ip: string): AddressResult {
  const first = Number(ip.slice(0, ip.indexOf('.')));
  if (first === 0) return { refused: 'the address of one host (0.0.0.0/8 is none)' };
  if (first >= 224) return { refused: 'a unicast address (not multicast, broadcast or reserved)' };
  return { ip };
}

function readIPv6(text: string): AddressResult {
  const ip = new URL(`http://[${text}]`).hostname.slice(1, -1);
  if (ip === '::') return { refused: 'the address of one host (:: is none)' };
  if (ip.startsWith('ff') && ip.indexOf(':') === 4)
    return { refused: 'a unicast address (not multicast)' };
  if (ip.startsWith('::ffff:')) return { refused: 'an IPv4 address written as such' };
  if (/^fe[89ab]/.test(ip) && ip.indexOf(':') === 4) {
    return { refused: 'an address that needs no zone (not link-local)' };
  }
  return { ip };
}
