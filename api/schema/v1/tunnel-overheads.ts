/** Tunnels that have a device of their own. Rows have the place in this list, so it only grows at its end. */
export const tunnelKinds = ['vxlan', 'geneve', 'ipip', 'wireguard'] as const;
export type TunnelKind = (typeof tunnelKinds)[number];

interface Overhead {
  readonly words: string;
  /** Absent where there is no device that tells of it. */
  readonly kind?: TunnelKind;
  /** The largest packet that passes a tunnel over a link of that MTU. */
  readonly largest: (mtu: number) => number;
}

const less =
  (bytes: number) =>
  (mtu: number): number =>
    mtu - bytes;

/** WireGuard fills its packets up to a multiple of 16 bytes. Its device has 80 bytes less than its link by itself. */
const wireguard = (outer: number) => (mtu: number) => Math.floor((mtu - outer) / 16) * 16;

/** ESP with AES-GCM in tunnel mode: header 8, IV 8, ICV 16, and a trailer of 2 up to a multiple of 4. */
const esp = (outer: number) => (mtu: number) => Math.floor((mtu - outer - 32) / 4) * 4 - 2;

/** Sources: RFC 7348, RFC 8926 (without options), RFC 2003, RFC 4303 with RFC 4106, and the paper of WireGuard, section 5.4.6. */
const overheads: readonly Overhead[] = [
  { words: 'VXLAN over IPv4', kind: 'vxlan', largest: less(50) },
  { words: 'VXLAN over IPv6', kind: 'vxlan', largest: less(70) },
  { words: 'Geneve over IPv4', kind: 'geneve', largest: less(50) },
  { words: 'Geneve over IPv6', kind: 'geneve', largest: less(70) },
  { words: 'IPIP', kind: 'ipip', largest: less(20) },
  { words: 'WireGuard', kind: 'wireguard', largest: less(80) },
  { words: 'WireGuard over IPv4', kind: 'wireguard', largest: wireguard(60) },
  { words: 'WireGuard over IPv6', kind: 'wireguard', largest: wireguard(80) },
  { words: 'IPsec over IPv4', largest: esp(20) },
  { words: 'IPsec over IPv6', largest: esp(40) },
];

/** What a limit is, held against the usual overheads of tunnels. */
export interface TakenByTunnel {
  /** `VXLAN or Geneve over IPv4`. */
  readonly words: string;
  /** Whether one of the given devices is of such a tunnel. */
  readonly hasDevice: boolean;
}

/**
 * The tunnels whose usual overhead is exactly what a limit leaves of an interface; undefined where none is. It says what fits and
 * no more: other tunnels may take as much.
 * @param devices kinds of tunnels of which there are devices: these go before others
 */
export function takenByTunnel(
  bytes: number,
  interfaceBytes: number,
  devices: readonly TunnelKind[] = [],
): TakenByTunnel | undefined {
  const fitting = overheads.filter(({ largest }) => largest(interfaceBytes) === bytes);
  const known = fitting.filter(({ kind }) => kind !== undefined && devices.includes(kind));
  const shown = known.length > 0 ? known : fitting;
  if (shown.length === 0) return undefined;
  return { words: shown.map(({ words }) => words).join(' or '), hasDevice: known.length > 0 };
}
