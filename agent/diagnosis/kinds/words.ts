import type { DiagnosisNode } from '../nouns/diagnosis-node.js';
import { channelsIn, endpointMask, hostMask, httpMask, icmpMask } from '../nouns/channel-mask.js';
import { failureWords } from '../nouns/failure-words.js';
import type { Seen } from '../nouns/sight.js';
import type { PathSight } from '../life/path-sight.js';
import { directionOf, isReverseReported } from './direction.js';

/** After a sentence about a node or an agent that sends nothing. */
export const silentWords = ', and nothing has been heard from it since';

/** Said of echoes that fail for a larger cause: what they would tell of a node is not known. */
export const pingFailsAnyway = 'ping fails too, but not to this node alone';

/** The subject of a sentence: how many cannot reach something. */
export function cannot({ failing, of }: Seen, what: string): string {
  if (of <= 1) return `the only node that tells of it cannot ${what}`;
  return failing >= of
    ? `none of ${of} nodes can ${what}`
    : `${failing} of ${of} nodes cannot ${what}`;
}

/** The observers other than the node itself, if it sees the same of others. */
export function othersSeen(sight: PathSight): Seen {
  const { subject, ways } = sight.cause;
  const { failing, of } = sight.seen();
  const isOneOfThem = subject.type === 'node' && ways === 'both';
  return isOneOfThem ? { failing: failing - 1, of: of - 1 } : { failing, of };
}

/** The node that a cause is about, if it is about one. */
export function nodeOfCause({ cause: { subject }, input }: PathSight): DiagnosisNode | undefined {
  return subject.type === 'node' ? input.index.nodes[subject.node] : undefined;
}

/** A node with its primary address, or another one, and what else is known of it, in brackets. */
export function labelOf(
  node: DiagnosisNode | undefined,
  address = node?.host[0] ?? node?.endpoint[0] ?? '',
  more = '',
): string {
  const known = [address, more].filter((part) => part !== '').join(', ');
  return known === '' ? (node?.name ?? '') : `${node?.name ?? ''} (${known})`;
}

/** The failure that most paths share, in words; empty if it is just the timeout, which tells the reader nothing new. */
export function failureOf(sight: PathSight): string {
  const kind = sight.failure();
  return kind === undefined || kind === 'timeout' ? '' : failureWords(kind);
}

/** The same after a sentence. */
export function because(sight: PathSight): string {
  const failure = failureOf(sight);
  return failure === '' ? '' : ` (${failure})`;
}

/** The protocol and the address; empty if everything fails. */
export function by(mask: number): string {
  const protocol = (mask & httpMask) === 0 ? ' by ICMP' : (mask & icmpMask) === 0 ? ' by HTTP' : '';
  return protocol + at(mask);
}

/** After the sentence about one direction between two: what is known of the other one. Nothing is said where that fails for another cause. */
export function ofReverse(sight: PathSight, works = 'the reverse works'): string {
  if (directionOf(sight) !== undefined) return `; ${works}`;
  const { cause, sides } = sight;
  const { bad, well } = sides[cause.ways === 'in' ? 'from' : 'to'];
  const isSeen = channelsIn(cause.channels).some(
    (channel) => (bad[channel] ?? 0) + (well[channel] ?? 0) >= 1,
  );
  return isSeen && (cause.ways === 'out' || isReverseReported(sight))
    ? ''
    : '; of the reverse nothing is known';
}

/** The channels, the failure, and how many see it. */
export function howText(sight: PathSight): string {
  const { failing, of } = othersSeen(sight);
  return `${by(sight.cause.knownChannels)}${because(sight)}, as ${failing} of ${of} nodes see it`;
}

/** The sentence about two that cannot reach each other, or of which the first cannot reach the other one; `both` names the two together. */
export function cannotReach(
  sight: PathSight,
  first: string,
  second: string,
  both = `${first} and ${second}`,
): string {
  return sight.cause.ways === 'both'
    ? `${both} cannot reach each other${howText(sight)}`
    : `${first} cannot reach ${second}${howText(sight)}${ofReverse(sight)}`;
}

/** The addresses of the plane, if all are on one. */
export function at(mask: number): string {
  if ((mask & endpointMask) === 0) return ' at node IPs';
  return (mask & hostMask) === 0 ? ' at endpoints' : '';
}

/** The same of some nodes. */
export function atTheir(mask: number): string {
  return at(mask).replace(' at ', ' at their ');
}

/** The same of one node. */
export function onPlane(mask: number): string {
  if ((mask & endpointMask) === 0) return ' at its node IP';
  return (mask & hostMask) === 0 ? ' at its endpoint' : '';
}
