import type { Plane } from '../model/path.js';
import type { Protocol } from '../model/sample.js';

/**
 * A channel is one plane and one protocol. Each path is on one of four. A mask is a set of
 * channels, one bit each.
 */
export interface Channel {
  readonly plane: Plane;
  readonly protocol: Protocol;
}

/** The channel with number c has bit `1 << c` in a mask. */
export const channels: readonly Channel[] = [
  { plane: 'host', protocol: 'icmp' },
  { plane: 'host', protocol: 'http' },
  { plane: 'endpoint', protocol: 'icmp' },
  { plane: 'endpoint', protocol: 'http' },
];

export const hostMask = 0b0011;
export const endpointMask = 0b1100;
export const icmpMask = 0b0101;
export const httpMask = 0b1010;
export const hostHttpMask = 0b0010;
export const endpointHttpMask = 0b1000;
export const allMask = 0b1111;

/**
 * The sets of channels that one cause can break: a whole node, one plane, one protocol, or one
 * server. Other sets need two causes.
 */
export const causeMasks: readonly number[] = [
  allMask,
  hostMask,
  endpointMask,
  icmpMask,
  httpMask,
  hostHttpMask,
  endpointHttpMask,
  0b0001,
  0b0100,
];

/** The number of a path's channel, 0 to 3. */
export function channelOf(plane: Plane, protocol: Protocol): number {
  return (plane === 'endpoint' ? 2 : 0) + (protocol === 'http' ? 1 : 0);
}

/** How many channels a mask has. */
export function sizeOf(mask: number): number {
  return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + ((mask >> 3) & 1);
}

/** The plane that all channels of a mask share, if they share one. */
export function planeOf(mask: number): Plane | undefined {
  if ((mask & endpointMask) === 0) return 'host';
  return (mask & hostMask) === 0 ? 'endpoint' : undefined;
}

/** The protocols of a mask's channels. */
export function protocolsOf(mask: number): Protocol[] {
  return [
    ...((mask & icmpMask) === 0 ? [] : (['icmp'] as const)),
    ...((mask & httpMask) === 0 ? [] : (['http'] as const)),
  ];
}
