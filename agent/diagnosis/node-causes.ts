import type { Cause } from './cause.js';
import { causeMasks, hostMask, sizeOf } from './channels.js';
import type { Evidence } from './evidence.js';
import {
  bothWaysCost,
  contradictionWeight,
  failureWeight,
  leastShare,
  nodeCost,
  persistence,
  rareMaskCost,
} from './weights.js';

/** A possible cause at a node, and what it would gain. */
interface Candidate {
  readonly node: number;
  gain: number;
  mask: number;
  isWhole: boolean;
  ways: 'in' | 'out' | 'both';
  contradictions: number;
}

/** The work between two yields, in entries. */
const slice = 10_000;

/**
 * Finds the causes at single nodes that every observer sees, best first. The paths that they
 * explain are marked.
 */
export function* nodeCauses(evidence: Evidence): Generator<void, Cause[]> {
  const { observations, index } = evidence;
  const causes: Cause[] = [];
  const candidates: Candidate[] = [];
  for (let node = 0; node < index.size; node++) {
    const candidate = evidence.hasFails(node) ? bestAt(evidence, node) : undefined;
    if (candidate) candidates.push(candidate);
  }
  candidates.sort((a, b) => a.gain - b.gain);
  yield;
  let work = 0;
  for (let last = candidates.pop(); last; last = candidates.pop()) {
    // Gains only shrink while more gets a cause. So a candidate that is still the best after a new
    // look is the best of all.
    const now = bestAt(evidence, last.node);
    if (!now) continue;
    if (now.gain < (candidates.at(-1)?.gain ?? 0)) {
      insert(candidates, now);
      continue;
    }
    const cause = take(evidence, now);
    causes.push(cause);
    const again = bestAt(evidence, now.node);
    if (again) insert(candidates, again);
    work += cause.entries.length + 4 * observations.observers.length;
    if (work > slice) {
      work = 0;
      yield;
    }
  }
  return causes;
}

function insert(candidates: Candidate[], one: Candidate): void {
  let [low, high] = [0, candidates.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((candidates[middle]?.gain ?? 0) < one.gain) low = middle + 1;
    else high = middle;
  }
  candidates.splice(low, 0, one);
}

/** The cost of a cause at one node. */
export function costOf(mask: number, isWhole: boolean, nodes: number): number {
  const isRare = !isWhole && (mask === 0b0001 || mask === 0b0100);
  return nodeCost + Math.log(nodes) + (isRare ? rareMaskCost : 0);
}

const ways = ['in', 'both', 'out'] as const;

/** The best cause at a node; undefined if none explains more than it costs. */
function bestAt(evidence: Evidence, node: number): Candidate | undefined {
  const { inFails, outFails, inOks, outOks, index } = evidence;
  let best: Candidate | undefined;
  // Masks of the channels that are observed, that fail (nearly) entirely, and that fail at all, for
  // each direction.
  let [inSeen, outSeen, inPure, outPure, inFailing, outFailing] = [0, 0, 0, 0, 0, 0];
  for (let channel = 0; channel < 4; channel++) {
    const [at, bit] = [4 * node + channel, 1 << channel];
    const [inF, inK] = [inFails[at] ?? 0, inOks[at] ?? 0];
    const [outF, outK] = [outFails[at] ?? 0, outOks[at] ?? 0];
    if (inF + inK > 0.05) inSeen |= bit;
    if (outF + outK > 0.05) outSeen |= bit;
    if (inF > 0) inFailing |= bit;
    if (outF > 0) outFailing |= bit;
    if (inF > 0 && inF >= leastShare * (inF + inK)) inPure |= bit;
    // If a node sees a single other one fail, it may as well be the other.
    if (outF > 1 && outF >= leastShare * (outF + outK)) outPure |= bit;
  }
  if ((inPure | outPure) === 0) return undefined;
  const weight = persistence(evidence.meanAgeS(node));
  for (const way of ways) {
    const seen = way === 'in' ? inSeen : way === 'out' ? outSeen : inSeen | outSeen;
    const fits =
      way === 'in'
        ? inPure
        : way === 'out'
          ? outPure
          : (inPure | ~inSeen) & (outPure | ~outSeen) & (inPure | outPure);
    if (way === 'both' && ((inFailing & fits) === 0 || (outFailing & fits) === 0)) continue;
    for (const causeMask of causeMasks) {
      const mask = causeMask & seen;
      if (mask === 0 || (mask & ~fits) !== 0) continue;
      let [fails, oks] = [0, 0];
      for (let channel = 0; channel < 4; channel++) {
        if (((mask >> channel) & 1) === 0) continue;
        const at = 4 * node + channel;
        if (way !== 'out') {
          fails += inFails[at] ?? 0;
          oks += inOks[at] ?? 0;
        }
        if (way !== 'in') {
          fails += outFails[at] ?? 0;
          oks += outOks[at] ?? 0;
        }
      }
      if (fails === 0) continue;
      const isWhole = way === 'out' ? mask === seen : isWholeNode(evidence, node, mask, seen);
      const gain =
        weight * (failureWeight * fails - contradictionWeight * oks) -
        costOf(mask, isWhole, index.size) -
        (way === 'both' ? bothWaysCost : 0);
      if (gain <= (best?.gain ?? 0)) continue;
      best = { node, gain, mask, isWhole, ways: way, contradictions: oks };
    }
  }
  return best;
}

/**
 * Whether nothing of a node answers. Channels that fail for a larger reason tell nothing by
 * themselves. If the node IP fails and so does everything else, the node does.
 */
function isWholeNode(evidence: Evidence, node: number, mask: number, seen: number): boolean {
  const { some, all } = evidence.failingTo(node);
  if (mask === (seen | some)) return true;
  return (mask & hostMask) === hostMask && (mask | all) === (seen | some);
}

function take(evidence: Evidence, candidate: Candidate): Cause {
  const { node, mask, isWhole, ways, contradictions } = candidate;
  const { observations } = evidence;
  const entries: number[] = [];
  let paths = 0;
  const reverseOks = ways === 'in' ? evidence.outOks : evidence.inOks;
  const reverseFails = ways === 'in' ? evidence.outFails : evidence.inFails;
  let [oks, fails] = [0, 0];
  for (let channel = 0; channel < 4; channel++) {
    if (((mask >> channel) & 1) === 0) continue;
    oks += reverseOks[4 * node + channel] ?? 0;
    fails += reverseFails[4 * node + channel] ?? 0;
  }
  const isKnown = ways === 'out' || evidence.tellsOfNow[node] === 1;
  const explain = (entry: number) => {
    const explained = evidence.explain(entry, mask);
    if (explained === 0) return;
    entries.push(entry);
    paths += explained;
  };
  if (ways !== 'out') {
    const last = observations.firstTo[node + 1] ?? 0;
    for (let at = observations.firstTo[node] ?? 0; at < last; at++) {
      explain(observations.byTarget[at] ?? 0);
    }
  }
  const observer = observations.observerOf[node] ?? -1;
  if (ways !== 'in' && observer !== -1) {
    const last = observations.firstOf[observer + 1] ?? 0;
    for (let entry = observations.firstOf[observer] ?? 0; entry < last; entry++) explain(entry);
  }
  return {
    subject: { type: 'node', node },
    trouble: 'broken',
    reverseWorks: ways !== 'both' && isKnown && oks > Math.max(fails, sizeOf(mask) / 2),
    isPartial: false,
    mask,
    isWhole,
    ways,
    entries,
    paths,
    contradictions,
  };
}
