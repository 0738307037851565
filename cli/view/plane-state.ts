import type { PathStatus, PlaneStatus, ProtocolStatus, State } from '../../api/schema/status.js';

/**
 * The state of a protocol in the body. No object means unknown, a failure text means unreachable.
 */
export function protocolState(protocol: ProtocolStatus | null | undefined): State {
  if (!protocol) return 'unknown';
  return protocol.status ? 'unreachable' : 'reachable';
}

/** All addresses of a plane, the primary one first. */
export function addressesOf(plane: PlaneStatus | null | undefined): PathStatus[] {
  const primary = plane?.['primary-address'];
  return [...(primary ? [primary] : []), ...(plane?.['secondary-addresses'] ?? [])];
}

/** The worst state of some paths by both protocols. Unreachable is worse than unknown. */
export function worstState(paths: readonly PathStatus[]): State {
  const states = paths.flatMap(({ icmp, http }) => [protocolState(icmp), protocolState(http)]);
  if (states.includes('unreachable')) return 'unreachable';
  return states.length === 0 || states.includes('unknown') ? 'unknown' : 'reachable';
}
