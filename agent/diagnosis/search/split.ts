import type { Cause } from '../nouns/cause.js';
import { paced } from '../nouns/steps.js';
import { type Subject, isWithin } from '../nouns/subject.js';
import { leastOpen, type Explanation } from './explanation.js';
import type { Evidence, Subjects } from './subjects.js';
import { slice, takeBest } from './take-best.js';

/** A change must lower the total cost by more than this. */
export const leastFall = 1;
/** What more nodes than this have in common is no chance. */
const mostNodes = 64;

/**
 * Tries for each cause at the cluster, at one or two zones or at a group whether others are cheaper: at nodes, or at two zones
 * and at nodes; and of one zone, whether one of another zone is, with what that makes needless. Returns whether any were.
 * @param all the subjects of all causes but pairs
 */
export function* split(
  { index }: Evidence,
  explanation: Explanation,
  subjects: Subjects,
  all: readonly Subject[],
): Generator<void, boolean> {
  const nodes = all.filter(({ type }) => type === 'node');
  const cuts = all.flatMap((one) => (one.type === 'zones' ? one : []));
  const pairs = cuts.filter(({ other }) => other !== undefined);
  const single = cuts.filter(({ other }) => other === undefined);
  let hasSplit = false;
  for (const cause of [...explanation.causes]) {
    const { subject } = cause;
    const isCluster = subject.type === 'cluster';
    const isGroup = subject.type === 'group' || subject.type === 'groups';
    if (subject.type !== 'zones' && !isCluster && !isGroup) continue;
    const isOneZone = subject.type === 'zones' && subject.other === undefined;
    const parts = isOneZone ? pairs.filter((one) => isWithin(one, subject, index)) : [];
    const others = isOneZone ? single.filter(({ group }) => group !== subject.group) : [];
    // What fails in a large cluster is no few nodes, and it takes long to try.
    const isOfMany = isCluster && nodes.length > mostNodes;
    const unreached = isCluster ? unreachedNodes(nodes, cause, explanation) : [];
    const tried = [
      ...(isOfMany ? [] : [[], ...(isOneZone ? [[parts]] : [])]),
      ...(unreached.length === 0 ? [] : [[unreached]]),
      ...others.map((one) => [[one], parts]),
    ];
    const before = explanation.total;
    const openBefore = explanation.open;
    const isOneWay = isOneZone && subjects.worksInReverse?.(cause) === true;
    const known = new Set(explanation.causes);
    for (const steps of tried) {
      explanation.remove(cause);
      for (const step of steps) yield* takeBest(explanation, candidates(subjects, step));
      const open = nodes.filter((one) => one.type === 'node' && explanation.hasOpenAt(one.node));
      if (open.length <= mostNodes) yield* takeBest(explanation, candidates(subjects, open));
      const dropped = steps.length > 1 ? yield* dropNeedless(explanation) : [];
      const added = [...explanation.causes].filter((one) => !known.has(one));
      const fall = before - explanation.total;
      // Of two that explain as much, the one that breaks fewer channels is the right one, or fewer paths.
      const isPart = isOneWay && added.length === 1 && added.every(isOfTwoZones);
      const isAsGood = isPart ? explanation.open < openBefore + leastOpen : fall > -leastOpen;
      if (fall > leastFall || (added.length === 1 && isAsGood)) {
        hasSplit = true;
        break;
      }
      for (const one of added) explanation.remove(one);
      for (const one of [cause, ...dropped]) if (known.has(one)) explanation.add(one);
    }
  }
  return hasSplit;
}

function isOfTwoZones({ subject }: Cause): boolean {
  return subject.type === 'zones' && subject.other !== undefined;
}

/**
 * The nodes that do not tell of any failing path. Where most nodes of a cluster are dead, those that live fail on most of their paths
 * too, and each of them explains more than a dead one.
 */
function unreachedNodes(
  nodes: readonly Subject[],
  cause: Cause,
  explanation: Explanation,
): readonly Subject[] {
  const tells = new Set(cause.entries.map((entry) => explanation.observerOf(entry)));
  const unreached = nodes.filter((one) => one.type === 'node' && !tells.has(one.node));
  // Each cause costs more than one.
  return unreached.length < cause.cost ? unreached : [];
}

/** Drops causes whose paths the others explain well enough, and returns them. */
export function* dropNeedless(explanation: Explanation): Generator<void, readonly Cause[]> {
  const dropped: Cause[] = [];
  const isEnough = paced(slice);
  for (const cause of [...explanation.causes].sort((a, b) => a.gain - b.gain)) {
    if (explanation.uniqueWeight(cause) < cause.cost) {
      explanation.remove(cause);
      dropped.push(cause);
    }
    if (isEnough(cause.entries.length)) yield;
  }
  return dropped;
}

function candidates(subjects: Subjects, parts: readonly Subject[]) {
  return parts.map((part) => () => subjects.best(part));
}
