import type { Cause, Subject, Trouble } from './cause.js';
import { sizeOf } from './channels.js';
import type { ClusterIndex } from './cluster-index.js';
import { addShares, DegradedPaths, emptyShare, type Share } from './degraded-counts.js';
import type { Observations } from './observations.js';
import { usualShares, type Usual } from './usual-shares.js';
import { WitnessCounter } from './witnesses.js';

/** If a smaller share of the paths is degraded, it is not a cause: others are as bad. */
const leastShare = 0.3;

/**
 * Many subjects are tested many times. This cost, beside the choice of the subject, keeps out
 * chance.
 */
const baseCost = { node: 12.5, pair: 15, zones: 14 };

/** Paths that are degraded for this long count twice. */
const persistenceS = 900;

const slice = 5000;

interface Candidate {
  readonly subject: Subject;
  /** The entries that lead to the subject, and from it. */
  readonly to: readonly number[];
  readonly from: readonly number[];
  readonly count: () => { readonly to: Share; readonly from: Share };
  readonly cost: number;
}

interface Scored {
  readonly candidate: Candidate;
  readonly gain: number;
  readonly mask: number;
  readonly ways: 'in' | 'out' | 'both';
}

/**
 * Finds the nodes, zones and pairs that have far more degraded paths than the others. A state that
 * all share is not a cause.
 */
export function* degradedCauses(
  index: ClusterIndex,
  observations: Observations,
  trouble: Exclude<Trouble, 'broken'>,
): Generator<void, Cause[]> {
  const listed: number[] = [];
  for (let entry = 0; entry < observations.size; entry++) {
    if (observations[trouble][entry] !== 0) listed.push(entry);
  }
  if (listed.length === 0) return [];
  yield;
  const witnesses = new WitnessCounter(index, observations);
  const paths = new DegradedPaths(index, observations, trouble, witnesses);
  const candidates = yield* candidatesOf(paths, listed);
  const usual = yield* usualShares(paths, listed);
  const scored: Scored[] = [];
  let work = 0;
  for (const candidate of candidates) {
    const score = scoreOf(candidate, paths, usual);
    if (score) scored.push(score);
    work += 10 + candidate.to.length + candidate.from.length;
    if (work > slice) {
      work = 0;
      yield;
    }
  }
  scored.sort((a, b) => a.gain - b.gain);
  const causes: Cause[] = [];
  for (let last = scored.pop(); last; last = scored.pop()) {
    const now = scoreOf(last.candidate, paths, usual);
    if (!now) continue;
    if (now.gain < (scored.at(-1)?.gain ?? 0)) {
      const at = scored.findIndex(({ gain }) => gain >= now.gain);
      scored.splice(at === -1 ? scored.length : at, 0, now);
    } else causes.push(take(now, paths, trouble));
    yield;
  }
  return causes;
}

function* candidatesOf(
  paths: DegradedPaths,
  listed: readonly number[],
): Generator<void, Candidate[]> {
  const { observations, index } = paths;
  const { zones, zoneOf, size } = index;
  const to = new Map<number, number[]>();
  const from = new Map<number, number[]>();
  const pairs = new Map<number, number[]>();
  const zonal = new Map<number, number[]>();
  const add = (map: Map<number, number[]>, key: number, entry: number) => {
    const list = map.get(key);
    if (list) list.push(entry);
    else map.set(key, [entry]);
  };
  for (const entry of listed) {
    const [a, b] = [observations.from[entry] ?? 0, observations.to[entry] ?? 0];
    add(from, a, entry);
    add(to, b, entry);
    add(pairs, Math.min(a, b) * size + Math.max(a, b), entry);
    const [zoneA, zoneB] = [zoneOf[a] ?? -1, zoneOf[b] ?? -1];
    if (zoneA !== zoneB && zoneA !== -1 && zoneB !== -1) {
      add(zonal, Math.min(zoneA, zoneB) * zones.length + Math.max(zoneA, zoneB), entry);
    }
  }
  yield;
  const candidates: Candidate[] = [];
  for (const node of new Set([...to.keys(), ...from.keys()])) {
    candidates.push({
      subject: { type: 'node', node },
      to: to.get(node) ?? [],
      from: from.get(node) ?? [],
      count: () => ({ to: paths.to(node), from: paths.from(node) }),
      cost: baseCost.node + Math.log(size),
    });
  }
  for (const [key, entries] of pairs) {
    // One node has at most eight paths to another. Fewer than three cannot be told from chance.
    if (entries.reduce((sum, entry) => sum + sizeOf(paths.open[entry] ?? 0), 0) < 3) continue;
    const [a, b] = [Math.floor(key / size), key % size];
    const there = entries.filter((entry) => observations.from[entry] === a);
    const back = entries.filter((entry) => observations.from[entry] === b);
    candidates.push({
      subject: { type: 'pair', from: a, to: b },
      to: there,
      from: back,
      count: () => ({ to: pairShare(paths, a, b, there), from: pairShare(paths, b, a, back) }),
      cost: baseCost.pair + Math.log((size * (size - 1)) / 2),
    });
  }
  const ofZone = new Map<number, number[]>();
  for (const [key, entries] of zonal) {
    const [a, b] = [Math.floor(key / zones.length), key % zones.length];
    for (const zone of [a, b]) ofZone.set(zone, (ofZone.get(zone) ?? []).concat(entries));
    const [first, second] = [zones[a], zones[b]];
    if (!first || !second) continue;
    const there = entries.filter((entry) => zoneOf[observations.from[entry] ?? 0] === a);
    const back = entries.filter((entry) => zoneOf[observations.from[entry] ?? 0] === b);
    candidates.push({
      subject: { type: 'zones', zone: a, other: b },
      to: there,
      from: back,
      count: () => ({
        to: paths.between(first.members, second, undefined, there),
        from: paths.between(second.members, first, undefined, back),
      }),
      cost:
        baseCost.zones +
        Math.log((zones.length * (zones.length - 1)) / 2) +
        loneNodeCost(paths, entries),
    });
  }
  for (const [zone, entries] of zones.length > 2 ? ofZone : []) {
    const own = zones[zone];
    if (!own || own.members.length < 2) continue;
    const outside = index.whole.members.filter((node) => zoneOf[node] !== zone);
    const there = entries.filter((entry) => zoneOf[observations.from[entry] ?? 0] !== zone);
    const back = entries.filter((entry) => zoneOf[observations.from[entry] ?? 0] === zone);
    candidates.push({
      subject: { type: 'zones', zone, other: undefined },
      to: there,
      from: back,
      count: () => ({
        to: paths.between(outside, own, undefined, there),
        from: paths.between(own.members, index.whole, own, back),
      }),
      cost: baseCost.zones + Math.log(zones.length) + loneNodeCost(paths, entries),
    });
  }
  return candidates;
}

/** If one node of a zone alone is affected, the node is more likely than the zone. */
function loneNodeCost({ observations, index }: DegradedPaths, entries: readonly number[]): number {
  const sides = new Map<number, Set<number>>();
  for (const entry of entries) {
    for (const node of [observations.from[entry] ?? 0, observations.to[entry] ?? 0]) {
      const zone = index.zoneOf[node] ?? -1;
      sides.set(zone, (sides.get(zone) ?? new Set()).add(node));
    }
  }
  const fewest = Math.min(...[...sides.values()].map(({ size }) => size));
  return fewest > 1 ? 0 : Math.log(index.size) + 2;
}

function pairShare(
  paths: DegradedPaths,
  from: number,
  to: number,
  entries: readonly number[],
): Share {
  const { observations, index } = paths;
  const share = emptyShare();
  const observer = observations.observers[observations.observerOf[from] ?? -1];
  if (!observer) return share;
  const hash = index.hashes[to] ?? 0;
  observer.horizons.forEach((horizon, channel) => {
    const knows = ((index.masks[to] ?? 0) >> channel) & 1 && horizon >= hash;
    share.of[channel] = knows ? 1 : 0;
  });
  for (const entry of entries) paths.count(share, entry);
  return share;
}

function scoreOf(candidate: Candidate, paths: DegradedPaths, usual: Usual): Scored | undefined {
  const { to, from } = candidate.count();
  const entries = [...candidate.to, ...candidate.from];
  let [ageS, counted] = [0, 0];
  for (const entry of entries) {
    if ((paths.open[entry] ?? 0) === 0) continue;
    ageS += Math.min(paths.observations.ageS[entry] ?? 0, persistenceS);
    counted++;
  }
  if (counted === 0) return undefined;
  const weight = 1 + ageS / counted / persistenceS;
  let best: Scored | undefined;
  for (const [ways, share, extra] of [
    ['both', addShares(to, from), 0.5],
    ['in', to, 0],
    ['out', from, 0],
  ] as const) {
    let [sum, mask] = [0, 0];
    for (let channel = 0; channel < 4; channel++) {
      const one = logOdds(share, channel, usual[channel % 2 === 0 ? 0 : 1]);
      if (one <= 1) continue;
      sum += one - 0.7;
      mask |= 1 << channel;
    }
    const gain = weight * sum - candidate.cost - extra;
    if (gain > (best?.gain ?? 0)) best = { candidate, gain, mask, ways };
  }
  return best;
}

/**
 * The logarithm of the likelihood ratio: this many degraded paths with a cause, against without
 * one.
 */
function logOdds({ degraded, of }: Share, channel: number, usual: number): number {
  const [bad, all] = [degraded[channel] ?? 0, of[channel] ?? 0];
  if (bad === 0 || all < bad) return 0;
  const share = Math.min(bad / all, 0.98);
  if (share < Math.max(leastShare, 2 * usual)) return 0;
  return bad * Math.log(share / usual) + (all - bad) * Math.log((1 - share) / (1 - usual));
}

function take({ candidate, mask, ways }: Scored, paths: DegradedPaths, trouble: Trouble): Cause {
  const entries: number[] = [];
  let explained = 0;
  const sides = [ways === 'out' ? [] : candidate.to, ways === 'in' ? [] : candidate.from];
  for (const entry of sides.flat()) {
    const bits = (paths.open[entry] ?? 0) & mask;
    if (bits === 0) continue;
    paths.open[entry] = (paths.open[entry] ?? 0) & ~bits;
    entries.push(entry);
    explained += sizeOf(bits);
  }
  const { subject } = candidate;
  const isTurned = ways === 'out' && (subject.type === 'pair' || subject.type === 'zones');
  return {
    subject: isTurned ? turn(subject) : subject,
    trouble,
    mask,
    entries,
    paths: explained,
    isWhole: mask === 0b1111,
    ways: isTurned ? 'in' : ways,
    reverseWorks: false,
    isPartial: false,
    contradictions: 0,
  };
}

function turn(subject: Subject): Subject {
  if (subject.type === 'pair') return { type: 'pair', from: subject.to, to: subject.from };
  if (subject.type !== 'zones' || subject.other === undefined) return subject;
  return { type: 'zones', zone: subject.other, other: subject.zone };
}
