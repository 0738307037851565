import { failureWords } from '../nouns/failure-words.js';
import type { FailureKind } from '../../model/failure.js';
import type { TargetSight } from '../life/target-sight-of.js';
import { apiServerTarget, serviceTarget, targetsOfServices } from '../nouns/diagnosis-target.js';

/** Other answers are expected of targets than of agents. */
export function targetFailureWords(failure: FailureKind | undefined): string {
  if (failure === undefined) return 'no answer';
  if (failure === 'status') return 'unexpected status';
  return failure === 'protocol' ? 'answer of another protocol' : failureWords(failure);
}

/** The target with the failure, or the server of it that fails. */
function whatFails(sight: TargetSight): string {
  const { target, also, failure, server, servers } = sight;
  // "No answer" tells the reader nothing new.
  const isKnown = failure !== undefined && failure !== 'timeout';
  const because = isKnown ? ` (${targetFailureWords(failure)}${statusWords(sight)})` : '';
  if (server === undefined) return inWords([`${target}${because}`, ...also]);
  const one = servers > 1 ? `one of the ${servers} servers` : 'a server';
  const whose = server.address === undefined && servers > 0 ? ' that are asked there' : '';
  return `${server.name}${because}, ${one} of ${target}${whose}`;
}

/** The status behind the failure, as far as this agent knows it: rows tell the failure alone. */
function statusWords({ failure, statusHere, isLocal, localName }: TargetSight): string {
  if (failure !== 'status' || statusHere === undefined) return '';
  return isLocal ? ` ${statusHere}` : `, ${statusHere} at ${localName}`;
}

/** `a, b and c` */
export function inWords(names: readonly string[]): string {
  const [last = ''] = names.slice(-1);
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** What others can, in a sentence about one target or several of which one was counted. */
function can({ target, also }: TargetSight): string {
  return also.length === 0 ? 'can' : `can reach ${target}`;
}

/** From which plane, where it is one of two. */
function fromPlane({ planes, knownPlanes, subject, namespace }: TargetSight): string {
  if (planes !== 3 || knownPlanes === 3) return '';
  const isOne = subject.type === 'node';
  if (knownPlanes === 1) return isOne ? ' from the node itself' : ' from the nodes themselves';
  const pods = namespace === undefined ? (isOne ? 'endpoint' : 'endpoints') : 'pods';
  return ` from ${isOne ? 'its' : 'their'} ${pods}`;
}

/** What other nodes see that looked since. */
function besideNodes(sight: TargetSight): string {
  const { subject, seen, trouble, plane, namespace } = sight;
  if (subject.type === 'cluster') return '';
  const { reaching, of } = seen.outside;
  if (of === 0) return '; no other node has looked since';
  const nodes = `${reaching} of ${of} other nodes that looked since`;
  if (trouble !== 'broken') return `; ${nodes} see nothing of it`;
  if (plane !== 'endpoint') return `; ${nodes} ${can(sight)}`;
  return `; ${namespace === undefined ? 'the endpoints' : 'pods'} of ${nodes} ${can(sight)}`;
}

/** The text about a target that answers, and not as it should: it `has become slow`. */
export function degradedTargetText(sight: TargetSight, how: string): string {
  const { subject, seen, name } = sight;
  const { type } = subject;
  const { failing, of } = type === 'cluster' ? seen.all : seen.inside;
  const whom =
    type === 'node'
      ? name
      : `${failing} of ${of} nodes${type === 'zones' ? ` of zone ${name}` : ''}`;
  const see = type === 'node' || failing === 1 ? 'sees' : 'see';
  return `${whatFails(sight)} ${how}${fromPlane(sight)}, as ${whom} ${see} it${besideNodes(sight)}`;
}

/** Enough have looked since, and those who see it agree. */
const agreedMs = 2000;
/** Not all of the node's zone have: a hint and a verdict take them so long. */
const inZoneMs = 3500;
/** After this time those that look need not all have looked since. */
const incompleteMs = 10_000;

/** Until enough nodes have looked at a target since it failed. */
export function untilLooked({ seen }: TargetSight): number {
  // It began before that, so time alone would open it at once.
  if (seen.isWaiting) return Infinity;
  if (!seen.isComplete) return incompleteMs;
  return seen.isZoneComplete ? agreedMs : inZoneMs;
}

/**
 * One sentence that says who cannot reach a target. It says that others can only if they looked since, and were counted.
 */
export function brokenTargetText(sight: TargetSight): string {
  const { type } = sight.subject;
  if (type === 'node') return nodeText(sight);
  const where = type === 'zones' ? ` of zone ${sight.name}` : '';
  const { failing, of } = sight.seen.inside;
  const nodes = `${of} nodes${where} that looked since`;
  const who = failing >= of ? `none of ${nodes} can` : `${failing} of ${nodes} cannot`;
  return `${who} reach ${whatFails(sight)}${fromPlane(sight)}${beside(sight)}${rejected(sight)}`;
}

function nodeText(sight: TargetSight): string {
  const { failingPlanes, knownPlanes, plane, name, namespace, seen } = sight;
  const what = `cannot reach ${whatFails(sight)}`;
  const nodes = besideNodes(sight);
  if (plane === undefined) {
    // Nothing is said of a plane that did not look.
    const only = knownPlanes === failingPlanes ? '' : fromPlane(sight);
    return `${name} ${what}${only}${nodes}${routing(sight)}`;
  }
  const { reaching } = seen.otherPlane;
  const hasPods = namespace !== undefined;
  if (plane === 'endpoint') {
    const itself = reaching > 0 ? `; the node itself ${can(sight)}` : '';
    return `${hasPods ? 'pods' : 'the endpoint'} of ${name} ${what}${itself}${nodes}`;
  }
  const its = reaching > 0 ? `; its ${hasPods ? 'pods' : 'endpoint'} ${can(sight)}` : '';
  return `${name} itself ${what}${its}${nodes}${routing(sight)}`;
}

/** What works beside it: from the other plane, or elsewhere. */
function beside(sight: TargetSight): string {
  const { plane, seen, namespace } = sight;
  const { reaching, of } = seen.otherPlane;
  if (plane === undefined || reaching === 0) return besideNodes(sight);
  const pods = namespace === undefined ? 'their endpoints' : 'their pods';
  const whose = plane === 'endpoint' ? 'nodes themselves' : pods;
  return `; ${reaching} of ${of} ${whose} can${besideNodes(sight)}`;
}

/**
 * What is rejected on all nodes is mostly a Service that has nothing to send to. That of the API server goes on sending:
 * API servers alone write where they are, and one that has ended does not.
 */
function rejected(sight: TargetSight): string {
  const { target, subject, failure, isRejected, namespace } = sight;
  const { all } = sight.seen;
  const isOfAll = subject.type === 'cluster' && all.failing >= all.of;
  if (!isOfAll || !isRejected || namespace === undefined || !targetsOfServices.includes(target)) {
    return '';
  }
  if (target === apiServerTarget && failure === 'refused') {
    return ': most likely no API server is running where its Service sends to';
  }
  return ': most likely its Service has no endpoint that is ready, and kube-proxy or its replacement rejects what is sent to it';
}

/** A service has one address, which each node translates for itself. */
function routing({ target, seen: { outside }, namespace }: TargetSight): string {
  const isOne = target === serviceTarget && namespace !== undefined;
  if (!isOne || outside.reaching === 0 || 2 * outside.reaching < outside.of) return '';
  return ', so it is the service routing of that node (kube-proxy or its replacement)';
}
