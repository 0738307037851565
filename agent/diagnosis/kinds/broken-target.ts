import { apiServerTarget, serviceTarget, targetsOfServices } from '../nouns/diagnosis-target.js';
import type { TargetSight } from '../life/target-sight-of.js';
import { besideNodes, can, fromPlane, whatFails } from './target-words.js';

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
  const { failingPlanes, knownPlanes, planes, name, namespace, seen } = sight;
  const what = `cannot reach ${whatFails(sight)}`;
  const nodes = besideNodes(sight);
  if (failingPlanes === planes) {
    // Nothing is said of a plane that did not look.
    const only = knownPlanes === failingPlanes ? '' : fromPlane(sight);
    return `${name} ${what}${only}${nodes}${routing(sight)}`;
  }
  const { reaching } = seen.otherPlane;
  const hasPods = namespace !== undefined;
  if (failingPlanes === 2) {
    const itself = reaching > 0 ? `; the node itself ${can(sight)}` : '';
    return `${hasPods ? 'pods' : 'the endpoint'} of ${name} ${what}${itself}${nodes}`;
  }
  const its = reaching > 0 ? `; its ${hasPods ? 'pods' : 'endpoint'} ${can(sight)}` : '';
  return `${name} itself ${what}${its}${nodes}${routing(sight)}`;
}

/** What works beside it: from the other plane, or elsewhere. */
function beside(sight: TargetSight): string {
  const { failingPlanes, planes, seen, namespace } = sight;
  const { reaching, of } = seen.otherPlane;
  if (failingPlanes === planes || reaching === 0) return besideNodes(sight);
  const pods = namespace === undefined ? 'their endpoints' : 'their pods';
  const whose = failingPlanes === 2 ? 'nodes themselves' : pods;
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
