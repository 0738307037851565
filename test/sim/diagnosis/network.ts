import type { FailureKind } from '../../../agent/model/failure.js';
import type { Plane } from '../../../agent/model/path.js';
import type { Protocol } from '../../../agent/model/sample.js';

/**
 * One packet of a probe between two hosts, nodes being numbers. A new flow starts with an echo
 * request or a SYN; what follows belongs to a flow that a stateful filter knows. Packets of the
 * endpoint plane go through a tunnel between the hosts.
 */
export interface Packet {
  readonly from: number;
  readonly to: number;
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly isNew: boolean;
}

/** What a server does with a connection: it answers, the port is closed, or the process hangs. */
export type ServerState = 'answers' | 'closed' | 'hangs';

/** Something that is wrong with the network or its hosts. What is left out is as it should be. */
export interface Trouble {
  /** Whether it can matter to packets between two hosts, either way: asked first, to save time. */
  readonly touches: (a: number, b: number) => boolean;
  readonly drops?: (packet: Packet) => boolean;
  readonly server?: (node: number, plane: Plane) => ServerState;
  readonly isOff?: (node: number) => boolean;
  /** The share of packets that is lost at random, from one host to another. */
  readonly loss?: (from: number, to: number, plane: Plane) => number;
  /** Whether packets wait in a queue somewhere between two hosts. */
  readonly isSlow?: (from: number, to: number, plane: Plane) => boolean;
}

/** What became of one probe: undefined where it was answered. */
export function probe(
  troubles: readonly Trouble[],
  from: number,
  to: number,
  plane: Plane,
  protocol: Protocol,
): FailureKind | undefined {
  const there = { from, to, plane, protocol, isNew: true };
  if (isOff(troubles, to) || isLost(troubles, there)) return 'timeout';
  if (isLost(troubles, { from: to, to: from, plane, protocol, isNew: false })) return 'timeout';
  if (protocol === 'icmp') return undefined;
  let hangs = false;
  for (const { server } of troubles) {
    const state = server?.(to, plane);
    if (state === 'closed') return 'refused';
    if (state === 'hangs') hangs = true;
  }
  // The request and the acknowledgements follow the SYN.
  there.isNew = false;
  return hangs || isLost(troubles, there) ? 'timeout' : undefined;
}

function isOff(troubles: readonly Trouble[], node: number): boolean {
  for (const { isOff: off } of troubles) if (off?.(node)) return true;
  return false;
}

function isLost(troubles: readonly Trouble[], packet: Packet): boolean {
  for (const { drops } of troubles) if (drops?.(packet)) return true;
  return false;
}

/** The share of probes that are lost at random between two hosts: a lost reply is as bad as a lost request. */
export function lossOf(troubles: readonly Trouble[], a: number, b: number, plane: Plane): number {
  let answered = 1;
  for (const { loss } of troubles) {
    if (loss) answered *= (1 - loss(a, b, plane)) * (1 - loss(b, a, plane));
  }
  return 1 - answered;
}

/** Whether the round trip between two hosts takes far longer than it did. */
export function isSlow(troubles: readonly Trouble[], a: number, b: number, plane: Plane): boolean {
  return troubles.some(
    ({ isSlow: slow }) => (slow?.(a, b, plane) ?? false) || (slow?.(b, a, plane) ?? false),
  );
}
