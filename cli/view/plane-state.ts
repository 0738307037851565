import type { PathStatus, PlaneStatus, ProtocolStatus, State } from '../../api/schema/status.js';

/**
 * The state of a protocol in the body. No object means unknown, a failure text means unreachable.
 */
export function protocolState(protocol: ProtocolStatus | null | undefined): State {
  if (!protocol) return 'unknown';
  return protocol.status ? 'unreachable' : 'reachable';
}

/** All addresses of a plane, the primary one first. */
export function addressesOf(plane: PlaneStatus | null | undefined): readonly PathStatus[] {
  const primary = plane?.['primary-address'];
  const secondary = plane?.['secondary-addresses'];
  if (!primary) return secondary ?? [];
  return secondary ? [primary, ...secondary] : [primary];
}

/** The worst state of some paths by both protocols. Unreachable is worse than unknown. */
export function worstState(paths: readonly PathStatus[]): State {
  // A status has tens of thousands of paths, so no list of their states is made.
  let worst: State = paths.length === 0 ? 'unknown' : 'reachable';
  for (const { icmp, http } of paths) {
    const states = [protocolState(icmp), protocolState(http)];
    if (states.includes('unreachable')) return 'unreachable';
    if (states.includes('unknown')) worst = 'unknown';
  }
  return worst;
}
