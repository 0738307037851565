import type { FailureKind } from '../../agent/model/failure.js';
import type { Plane } from '../../agent/model/path.js';
import type { Protocol } from '../../agent/model/sample.js';

/**
 * One packet of a probe between two hosts, which are given as numbers of nodes. A new flow starts
 * with an echo request or a SYN. A stateful filter knows the flow of all later packets. Packets of
 * the endpoint plane go through a tunnel between the hosts.
 */
export interface Packet {
  readonly from: number;
  readonly to: number;
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly isNew: boolean;
}

/** How a server treats connections: it answers, its port is closed, or its process hangs. */
type ServerState = 'answers' | 'closed' | 'hangs';

/** A fault of the network or its hosts. Missing members mean normal behaviour. */
export interface Trouble {
  /**
   * Whether it can affect packets between two hosts in either direction. This is checked first to
   * save time.
   */
  readonly touches: (a: number, b: number) => boolean;
  /** Each pair that it touches has one of these hosts; missing: all pairs may be touched. */
  readonly nodes?: readonly number[];
  readonly drops?: (packet: Packet) => boolean;
  readonly server?: (node: number, plane: Plane) => ServerState;
  readonly isOff?: (node: number) => boolean;
  /** The share of packets from one host to another that are lost at random. */
  readonly loss?: (from: number, to: number, plane: Plane) => number;
  /** The share of connections from one host to another of which no packet arrives: those that take a dead path. */
  readonly flowLoss?: (from: number, to: number, plane: Plane) => number;
  /** Whether large packets from one host to another are lost, though small ones pass. */
  readonly dropsLarge?: (from: number, to: number, plane: Plane) => boolean;
  /** Whether packets from one host to another wait in a queue. */
  readonly isSlow?: (from: number, to: number, plane: Plane) => boolean;
}

/** The failure of one probe, or undefined if it was answered. */
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
  // The request and the acknowledgements follow the SYN in the same flow.
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

/**
 * The share of probes between two hosts that are lost at random. Requests and replies both count.
 */
export function lossOf(troubles: readonly Trouble[], a: number, b: number, plane: Plane): number {
  let answered = 1;
  for (const { loss } of troubles) {
    if (loss) answered *= (1 - loss(a, b, plane)) * (1 - loss(b, a, plane));
  }
  return 1 - answered;
}

/** The share of connections between two hosts that never pass. */
export function flowLossOf(
  troubles: readonly Trouble[],
  a: number,
  b: number,
  plane: Plane,
): number {
  let passing = 1;
  for (const { flowLoss } of troubles) {
    if (flowLoss) passing *= (1 - flowLoss(a, b, plane)) * (1 - flowLoss(b, a, plane));
  }
  return 1 - passing;
}

/** Whether the round trip between two hosts takes far longer than before. */
export function isSlow(troubles: readonly Trouble[], a: number, b: number, plane: Plane): boolean {
  return troubles.some(
    ({ isSlow: slow }) => (slow?.(a, b, plane) ?? false) || (slow?.(b, a, plane) ?? false),
  );
}

/** Whether a large GET or its answer is lost between two hosts. */
export function losesLarge({ dropsLarge }: Trouble, a: number, b: number, plane: Plane): boolean {
  return dropsLarge?.(a, b, plane) === true || dropsLarge?.(b, a, plane) === true;
}

/** What a trouble does to the agent of a node. */
export function agentState({ isOff, server }: Trouble, node: number): 'runs' | 'frozen' | 'gone' {
  const state = server?.(node, 'host') ?? 'answers';
  if (isOff?.(node) === true || state === 'closed') return 'gone';
  return state === 'hangs' ? 'frozen' : 'runs';
}
