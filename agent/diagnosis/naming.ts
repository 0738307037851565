import type { Cause } from './nouns/cause.js';
import {
  allMask,
  endpointHttpMask,
  endpointMask,
  hostHttpMask,
  hostMask,
  httpMask,
  icmpMask,
} from './nouns/channel-mask.js';
import type { Direction, FindingKind } from './nouns/finding.js';
import type { PacketWays } from './large-losses.js';
import type { Side } from './tally.js';

/** What is known beside the failures, and lets a cause be named. */
export interface NamingFacts {
  /** The paths of the cause's subject, in both directions. */
  readonly to: Side;
  readonly from: Side;
  /** The node's own row counts. */
  readonly isObserver: boolean;
  /** The channels that the node has an address on. */
  readonly has: number;
  /** The node of the cause has run since its trouble began: enough others got its GETs, or its row counts. */
  readonly lives: boolean;
  readonly isLocal: boolean;
  /** Of a cause about large packets: which way the lost ones went. */
  readonly packets?: PacketWays | undefined;
}

/** The name of a cause: a label on its subject, channels and direction. */
export interface Name {
  readonly kind: FindingKind;
  readonly direction: Direction | undefined;
  /** The channels on which paths of the subject were counted that work, in the claimed direction. */
  readonly working: number;
  /** The channels that the subject has and of which nothing is known. */
  readonly unseen: number;
}

/** Names a cause. The name does not change what the cause is. */
export function nameOf(cause: Cause, facts: NamingFacts): Name {
  const direction = facts.packets
    ? directionOfPackets(cause, facts.packets)
    : directionOf(cause, facts);
  return { kind: kindOf(cause, facts), direction, ...seenBeside(cause, facts) };
}

function kindOf(cause: Cause, { lives, isLocal }: NamingFacts): FindingKind {
  const { subject, trouble, claim, ways, isPartial } = cause;
  if (trouble !== 'broken') return trouble;
  if (subject.type === 'pair') return 'pair';
  if (subject.type === 'zones') return 'zones';
  switch (claim) {
    case allMask:
      return lives || isLocal || isPartial || ways !== 'in' ? 'node-isolated' : 'node-down';
    case hostHttpMask:
      // Whose own GETs arrive has an agent that runs, so its port is filtered.
      return subject.type === 'cluster' || ways !== 'in' || lives || isLocal
        ? 'http-filtered'
        : 'agent-down';
    case endpointHttpMask:
      return subject.type === 'cluster' || ways !== 'in' ? 'http-filtered' : 'endpoint-down';
    case hostMask:
      return 'host-plane';
    case endpointMask:
      return 'endpoint-plane';
    default:
      if ((claim & httpMask) === 0) return 'icmp-filtered';
      return (claim & icmpMask) === 0 ? 'http-filtered' : 'node-isolated';
  }
}

function directionOf(
  { subject, ways, claim }: Cause,
  { to, from, isObserver, lives, isLocal }: NamingFacts,
): Direction | undefined {
  if (subject.type === 'cluster') return undefined;
  if (ways === 'both') return 'both';
  const reverse = ways === 'in' ? from : to;
  // A channel that fails in the reverse direction too does so for a larger cause.
  const works = [0, 1, 2, 3].some((channel) => {
    const well = reverse.well[channel] ?? 0;
    return (claim >> channel) & 1 && well >= 1 && well > (reverse.bad[channel] ?? 0);
  });
  // The first of two is the one whose probes fail.
  const isOfTwo =
    subject.type === 'pair' || (subject.type === 'zones' && subject.other !== undefined);
  if (isOfTwo) return works ? 'outbound' : undefined;
  if (ways === 'out') return works ? 'outbound' : undefined;
  if (works && (subject.type === 'zones' || isObserver)) return 'inbound';
  return lives && !isLocal && (claim & hostHttpMask) !== 0 ? 'inbound' : undefined;
}

/** One direction is told only where both ends spoke: one of them alone may not see the other. */
function directionOfPackets(
  { subject }: Cause,
  { ways, isToldByBoth }: PacketWays,
): Direction | undefined {
  if (subject.type === 'cluster') return undefined;
  if (ways === 'both') return 'both';
  if (!isToldByBoth) return undefined;
  const isOfTwo =
    subject.type === 'pair' || (subject.type === 'zones' && subject.other !== undefined);
  // The packets of the first of two are lost.
  return ways === 'out' || isOfTwo ? 'outbound' : 'inbound';
}

/** The channels that work at the node, and those that nothing is known of. */
function seenBeside({ subject, mask, ways }: Cause, { to, from, has }: NamingFacts) {
  let [working, unseen] = [0, 0];
  if (subject.type !== 'node') return { working, unseen };
  const side = ways === 'out' ? from : to;
  for (let channel = 0; channel < 4; channel++) {
    const bit = 1 << channel;
    if ((mask & bit) !== 0 || (has & bit) === 0) continue;
    const [bad, well] = [side.bad[channel] ?? 0, side.well[channel] ?? 0];
    if (well >= 1 && well > bad) working |= bit;
    else unseen |= bit;
  }
  return { working, unseen };
}
