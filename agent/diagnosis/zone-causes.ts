import type { Cause } from './cause.js';
import { httpMask, icmpMask, sizeOf } from './channels.js';
import type { Zone } from './cluster-index.js';
import type { Evidence } from './evidence.js';
import { costOf } from './node-causes.js';
import { countsOf, patternOf, sum, type Pattern } from './group-pattern.js';
import { countRegion, type Region } from './region.js';
import { ZoneBuckets } from './zone-buckets.js';
import {
  bothWaysCost,
  clusterCost,
  contradictionWeight,
  failureWeight,
  zoneChannelCost,
  zoneCost,
  zoneProtocolCost,
} from './weights.js';

/** The work between two yields, in entries. */
const slice = 10_000;

/**
 * Finds causes about the whole cluster, one zone or two, if they cost less than causes at their
 * nodes. The paths that they explain are marked.
 */
export function* groupCauses(evidence: Evidence): Generator<void, Cause[]> {
  const buckets = yield* bucketsOf(evidence);
  const causes: Cause[] = [];
  const everywhere = clusterCause(evidence, buckets);
  yield;
  if (everywhere) causes.push(everywhere);
  const { zones } = evidence.index;
  if (zones.length > 2) {
    for (const [zone] of zones.entries()) {
      const cause = zoneCause(evidence, buckets, zone);
      if (cause) causes.push(cause);
      yield;
    }
  }
  let work = 0;
  for (const [zone, other] of buckets.pairs()) {
    const cause = zonePairCause(evidence, buckets, zone, other);
    if (cause) causes.push(cause);
    work += buckets.get(zone, other).length + buckets.get(other, zone).length;
    if (work > slice) {
      work = 0;
      yield;
    }
  }
  return causes;
}

function* bucketsOf(evidence: Evidence): Generator<void, ZoneBuckets> {
  const { observations, index } = evidence;
  const buckets = new ZoneBuckets(evidence);
  for (let entry = 0; entry < observations.size; entry++) {
    if (((observations.fail[entry] ?? 0) | (observations.unknown[entry] ?? 0)) === 0) continue;
    const [from, to] = [observations.from[entry] ?? 0, observations.to[entry] ?? 0];
    buckets.add(index.zoneOf[from] ?? -1, index.zoneOf[to] ?? -1, entry);
    if (entry % (2 * slice) === 0) yield;
  }
  yield;
  buckets.countKnown();
  return buckets;
}

function clusterCause(evidence: Evidence, buckets: ZoneBuckets): Cause | undefined {
  const { whole, zones, zoneOf, size } = evidence.index;
  const { observations } = evidence;
  if (!buckets.mayFail(undefined)) return undefined;
  const to = countRegion(evidence, whole.members, { zone: whole, areObservers: true }, buckets.all);
  const group = { to, from: { ...to, fails: [0, 0, 0, 0], oks: [0, 0, 0, 0] } };
  const pattern = patternOf(group);
  // If nothing works at all, each agent speaks only for itself.
  if (!pattern || pattern.isWhole || to.observers.size < 2 || to.targets.size < 2) return undefined;
  if (size > 2 && haveCommonNode(evidence, buckets.all, pattern.mask)) return undefined;
  const cost = clusterCost + contradictionWeight * pattern.oks;
  const pairs = buckets.pairs();
  let unzoned = 0;
  for (const entry of buckets.all) {
    const zone = zoneOf[observations.from[entry] ?? 0];
    if (zone !== -1 && zone !== zoneOf[observations.to[entry] ?? 0]) continue;
    unzoned += sizeOf(evidence.open(entry) & pattern.mask);
  }
  const byZones = pairs.length * zonePairCost(zones, pattern.mask) + failureWeight * unzoned;
  const { targets, observers } = costByNodes(evidence, buckets.all, [], pattern);
  if (cost >= Math.min(byZones, targets, observers)) return undefined;
  return take(evidence, { type: 'cluster' }, pattern, buckets.all, []);
}

/** If all that fails is to or from one node, it is that node and not the cluster. */
function haveCommonNode(evidence: Evidence, entries: readonly number[], mask: number): boolean {
  const { from, to } = evidence.observations;
  let common: readonly number[] | undefined;
  for (const entry of entries) {
    if ((evidence.open(entry) & mask) === 0) continue;
    const ends = [from[entry] ?? -1, to[entry] ?? -1];
    common = common ? common.filter((node) => ends.includes(node)) : ends;
    if (common.length === 0) return false;
  }
  return true;
}

function zoneCause(evidence: Evidence, buckets: ZoneBuckets, zone: number): Cause | undefined {
  const { zones, whole, size } = evidence.index;
  const own = zones[zone];
  if (!own || own.members.length < 2) return undefined;
  const others = [...pairsOf(zones.length, zone)].map(([, other]) => other);
  const cutFrom = others.filter(
    (other) => buckets.get(other, zone).length + buckets.get(zone, other).length > 0,
  ).length;
  if (cutFrom < 2 || !buckets.mayFail([...pairsOf(zones.length, zone)])) return undefined;
  const into = others.flatMap((other) => buckets.get(other, zone));
  const outOf = others.flatMap((other) => buckets.get(zone, other));
  const inside = new Set(own.members);
  const outside = whole.members.filter((node) => !inside.has(node));
  const to = countRegion(evidence, outside, { zone: own }, into);
  const from = countRegion(evidence, own.members, { zone: whole, without: own }, outOf);
  const pattern = patternOf({ to, from });
  if (!pattern) return undefined;
  const cost =
    zoneCost +
    Math.log(zones.length) +
    maskCost(pattern.mask) +
    contradictionWeight * pattern.oks +
    loneNodeCost(size, to, from);
  const { targets, observers } = costByNodes(evidence, into, outOf, pattern);
  let byZones = 0;
  for (const [other, { members }] of zones.entries()) {
    if (other === zone) continue;
    const pair = {
      to: countRegion(evidence, members, { zone: own }, buckets.get(other, zone)),
      from: countRegion(
        evidence,
        own.members,
        { zone: zones[other] ?? own },
        buckets.get(zone, other),
      ),
    };
    const { fails, oks } = countsOf(pair, pattern.ways);
    const one = zonePairCost(zones, pattern.mask) + contradictionWeight * sum(oks, pattern.mask);
    byZones += Math.min(one, failureWeight * sum(fails, pattern.mask));
  }
  if (cost >= Math.min(byZones, targets, observers)) return undefined;
  return take(evidence, { type: 'zones', zone, other: undefined }, pattern, into, outOf);
}

function* pairsOf(zones: number, zone: number): Generator<[number, number]> {
  for (let other = 0; other < zones; other++) if (other !== zone) yield [zone, other];
}

function zonePairCause(
  evidence: Evidence,
  buckets: ZoneBuckets,
  zone: number,
  other: number,
): Cause | undefined {
  const { zones, size } = evidence.index;
  const [a, b] = [zones[zone], zones[other]];
  if (!a || !b) return undefined;
  if (!buckets.mayFail([[zone, other]])) return undefined;
  const [there, back] = [buckets.get(zone, other), buckets.get(other, zone)];
  const to = countRegion(evidence, a.members, { zone: b }, there);
  const from = countRegion(evidence, b.members, { zone: a }, back);
  const pattern = patternOf({ to, from });
  if (!pattern || isOnePair(to, from)) return undefined;
  const cost =
    zonePairCost(zones, pattern.mask) +
    contradictionWeight * pattern.oks +
    loneNodeCost(size, to, from);
  const { targets, observers } = costByNodes(evidence, there, back, pattern);
  if (cost >= Math.min(targets, observers)) return undefined;
  // The probes of the first of the two fail.
  return pattern.ways === 'out'
    ? take(evidence, { type: 'zones', zone: other, other: zone }, turned(pattern), back, there)
    : take(evidence, { type: 'zones', zone, other }, pattern, there, back);
}

function turned(pattern: Pattern): Pattern {
  return { ...pattern, ways: 'in' };
}

function zonePairCost(zones: readonly Zone[], mask: number): number {
  const choice = Math.log((zones.length * (zones.length - 1)) / 2);
  return zoneCost + choice + bothWaysCost + maskCost(mask);
}

function maskCost(mask: number): number {
  if (sizeOf(mask) === 1) return zoneChannelCost;
  return (mask & httpMask) === 0 || (mask & icmpMask) === 0 ? zoneProtocolCost : 0;
}

function isOnePair(to: Region, from: Region): boolean {
  const nodes = new Set([...to.observers, ...to.targets, ...from.observers, ...from.targets]);
  return nodes.size <= 2;
}

/** If one node of a zone alone fails, the node is more likely than the zone. */
function loneNodeCost(nodes: number, to: Region, from: Region): number {
  const near = new Set([...to.observers, ...from.targets]);
  const far = new Set([...to.targets, ...from.observers]);
  return Math.min(near.size, far.size) > 1 ? 0 : Math.log(nodes) + 2;
}

/** The cost of explaining a group's failures by causes at the nodes of one side. */
function costByNodes(
  evidence: Evidence,
  to: readonly number[],
  from: readonly number[],
  { mask, isWhole }: Pattern,
): { targets: number; observers: number } {
  const { observations, index } = evidence;
  const far = new Map<number, { in: number; out: number }>();
  const near = new Map<number, { in: number; out: number }>();
  const add = (side: typeof far, node: number, way: 'in' | 'out', fails: number) => {
    const counts = side.get(node) ?? { in: 0, out: 0 };
    side.set(node, counts);
    counts[way] += fails;
  };
  const spread = (entries: readonly number[], sources: typeof far, targets: typeof far) => {
    for (const entry of entries) {
      const fails = sizeOf(evidence.open(entry) & mask);
      if (fails === 0) continue;
      add(targets, observations.to[entry] ?? 0, 'in', fails);
      add(sources, observations.from[entry] ?? 0, 'out', fails);
    }
  };
  spread(to, near, far);
  spread(from, far, near);
  const cost = (side: typeof far) => {
    let all = 0;
    for (const [node, fails] of side) {
      let oks = 0;
      for (let channel = 0; channel < 4; channel++) {
        if (((mask >> channel) & 1) === 0) continue;
        if (fails.in > 0) oks += evidence.inOks[4 * node + channel] ?? 0;
        if (fails.out > 0) oks += evidence.outOks[4 * node + channel] ?? 0;
      }
      const one = costOf(mask, isWhole, index.size) + contradictionWeight * oks;
      all += Math.min(one, failureWeight * (fails.in + fails.out));
    }
    return all;
  };
  return { targets: cost(far), observers: cost(near) };
}

function take(
  evidence: Evidence,
  subject: Cause['subject'],
  pattern: Pattern,
  to: readonly number[],
  from: readonly number[],
): Cause {
  const { mask, isWhole, ways, reverseWorks, oks } = pattern;
  const entries: number[] = [];
  let paths = 0;
  for (const entry of (ways === 'out' ? [] : to).concat(ways === 'in' ? [] : from)) {
    const explained = evidence.explain(entry, mask);
    if (explained === 0) continue;
    entries.push(entry);
    paths += explained;
  }
  return {
    subject,
    trouble: 'broken',
    mask,
    isWhole,
    ways,
    reverseWorks,
    entries,
    paths,
    isPartial: false,
    contradictions: oks,
  };
}
