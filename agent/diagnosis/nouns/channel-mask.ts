import type { Plane } from '../../model/path.js';
import type { Protocol } from '../../model/sample.js';

// A mask is a set of channels: the channel with number c has bit `1 << c`.

export const hostMask = 0b0011;
export const endpointMask = 0b1100;
export const icmpMask = 0b0101;
export const httpMask = 0b1010;
export const hostHttpMask = 0b0010;
export const endpointHttpMask = 0b1000;
export const hostIcmpMask = 0b0001;
export const endpointIcmpMask = 0b0100;
export const allMask = 0b1111;

/** The channel on which agents send their GETs: HTTP on the host plane. */
export const rowChannel = 1;

/** The sets of channels that one cause can break: all, one plane, one protocol, one server, or the echoes of one plane. */
export const causeMasks: readonly number[] = [
  allMask,
  hostMask,
  endpointMask,
  icmpMask,
  httpMask,
  hostHttpMask,
  endpointHttpMask,
  hostIcmpMask,
  endpointIcmpMask,
];

const channelLists = Array.from({ length: allMask + 1 }, (_, mask) =>
  [0, 1, 2, 3].filter((channel) => (mask >> channel) & 1),
);

/** The numbers of a mask's channels, ascending. */
export function channelsIn(mask: number): readonly number[] {
  return channelLists[mask] ?? [];
}

/** How many channels a mask has. */
export function sizeOf(mask: number): number {
  return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + ((mask >> 3) & 1);
}

/** Whether a mask has one plane alone. */
export function isPlane(mask: number): boolean {
  return mask === hostMask || mask === endpointMask;
}

/** Whether a mask has HTTP on one plane alone, so that it is about the server there. */
export function isOneServer(mask: number): boolean {
  return mask === hostHttpMask || mask === endpointHttpMask;
}

/**
 * Whether most GETs of a mask without echoes were refused: that is an answer of each server, so neither the network nor the sender
 * is at fault.
 * @param answered the channels on which most failures are answers, as a mask
 */
export function isAnsweredOn(mask: number, answered: number): boolean {
  return (mask & icmpMask) === 0 && (mask & answered) !== 0;
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

/** The sums of some lists of four numbers, one for each channel. */
export function addUp(lists: readonly ArrayLike<number>[]): number[] {
  const sums = [0, 0, 0, 0];
  for (const list of lists) {
    for (let channel = 0; channel < 4; channel++)
      sums[channel] = (sums[channel] ?? 0) + (list[channel] ?? 0);
  }
  return sums;
}

/** What is left of a list of four numbers, one for each channel, without a part of it: nothing less than zero. */
export function difference(all: ArrayLike<number>, part: ArrayLike<number>): number[] {
  return [0, 1, 2, 3].map((channel) => Math.max((all[channel] ?? 0) - (part[channel] ?? 0), 0));
}

/** How many of some entries have each channel in their masks. */
export function countChannels(
  entries: Iterable<number>,
  maskAt: (entry: number) => number,
): number[] {
  const counts = [0, 0, 0, 0];
  for (const entry of entries)
    for (const channel of channelsIn(maskAt(entry))) counts[channel] = (counts[channel] ?? 0) + 1;
  return counts;
}

/** The channels of which a number is larger than another one, as a mask. */
export function maskOf(numbers: ArrayLike<number>, than = 0): number {
  let mask = 0;
  for (let channel = 0; channel < 4; channel++)
    if ((numbers[channel] ?? 0) > than) mask |= 1 << channel;
  return mask;
}

/** The channels of which something is so, as a mask. */
export function maskWhere(isSo: (channel: number) => boolean): number {
  return [0, 1, 2, 3].reduce((mask, channel) => (isSo(channel) ? mask | (1 << channel) : mask), 0);
}

/** The sum of the numbers of some channels. */
export function sumOn(mask: number, numbers: ArrayLike<number>): number {
  // Asked for each set of channels at each node.
  let sum = 0;
  for (const channel of channelsIn(mask)) sum += numbers[channel] ?? 0;
  return sum;
}
