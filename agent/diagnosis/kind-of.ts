import type { Cause } from './cause.js';
import { endpointMask, hostMask, httpMask, icmpMask, sizeOf } from './channels.js';
import type { FindingKind } from './finding.js';

/** Names the pattern of a cause. `isAlive` says that its node was heard since the cause began. */
export function kindOf(cause: Cause, isAlive: boolean): FindingKind {
  const { subject, trouble, mask, ways, isPartial } = cause;
  if (trouble !== 'broken') return trouble;
  if (subject.type === 'pair') return 'pair';
  if (subject.type === 'zones') return 'zones';
  if (isOneServer(mask)) {
    if (subject.type === 'cluster' || ways === 'out') return 'http-filtered';
    return (mask & hostMask) !== 0 ? 'agent-down' : 'endpoint-down';
  }
  if ((mask & httpMask) === 0) return 'icmp-filtered';
  if (subject.type === 'node' && cause.isWhole) {
    return isAlive || isPartial || ways === 'out' ? 'node-isolated' : 'node-down';
  }
  if ((mask & icmpMask) === 0) return 'http-filtered';
  if ((mask & endpointMask) === 0) return 'host-plane';
  if ((mask & hostMask) === 0) return 'endpoint-plane';
  return 'node-isolated';
}

/** Only HTTP on one plane fails, so it is the server there. */
function isOneServer(mask: number): boolean {
  return sizeOf(mask) === 1 && (mask & httpMask) !== 0;
}
