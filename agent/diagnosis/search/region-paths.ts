import type { Ways } from '../nouns/cause.js';
import { addUp, maskOf } from '../nouns/channel-mask.js';
import type { Side } from '../nouns/sight.js';
import type { Subject } from '../nouns/subject.js';
import { testedSide } from '../evidence/large-passes.js';
import type { Begins } from '../evidence/begin-times.js';
import type { Observer } from '../evidence/observations.js';
import { workingOfEvenProbes } from '../evidence/even-probes.js';
import { failEvenly } from '../evidence/even-zones.js';
import { beginsOf, sideOf, sumOfSides, type PathSums } from '../evidence/path-sums.js';
import type { Tally } from '../evidence/tally.js';
import { coveredIn } from '../evidence/coverage.js';
import {
  answersAmong,
  entriesOf,
  sumsOf,
  type ZonePair,
  type ZonePairs,
} from '../evidence/zone-pairs.js';
import type { Explanation } from './explanation.js';
import { isLone } from './lone.js';
import type { SubjectPart, SubjectPaths } from './subject-paths.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/** Two zones with fewer failures on each channel are judged by the beginning of the others. */
const leastOwn = 3;

/** One zone and all others, or two zones. */
export type Zones = Subject & { readonly type: 'zones' };

/** What does not change with the explanation. Of two zones `to` leads from the first to the other; of one it leads into it. */
interface ZoneSides {
  readonly to: Side;
  readonly from: Side;
  /** The pairs of zones that these paths are between. */
  readonly toPairs: readonly ZonePair[];
  readonly fromPairs: readonly ZonePair[];
  readonly isLone: boolean;
  /** The channels on which most failures are answers. */
  readonly answering: number;
}

/** A direction between two zones. */
type Way = readonly [from: number, to: number];

type RegionPart = Pick<SubjectPaths, 'subjects' | 'to' | 'from' | 'loneIn' | 'answering'>;

/** The paths of the cluster, those between a zone and all others, and those between two zones. */
export class RegionPaths {
  readonly #tally: Tally;
  readonly #zonePairs: ZonePairs;
  readonly #explanation: Explanation;
  readonly #observersOfZone: readonly (readonly Observer[])[];
  readonly #zoneSides = new Map<number, ZoneSides>();
  /** By the number of the first zone times how many there are, plus that of the second. */
  readonly #betweenZones = new Map<number, Side>();
  #cluster: (Omit<RegionPart, 'to'> & { readonly side: Side }) | undefined;

  constructor(tally: Tally, zonePairs: ZonePairs, explanation: Explanation) {
    this.#tally = tally;
    this.#zonePairs = zonePairs;
    this.#explanation = explanation;
    const ofZone: Observer[][] = tally.index.zones.map(() => []);
    for (const observer of tally.observations.observers)
      ofZone[tally.index.zoneOf[observer.node] ?? -1]?.push(observer);
    this.#observersOfZone = ofZone;
  }

  /** The zones of more than one node that have entries. Those of two come last: of as good causes the one that says less is taken. */
  *zones(): Generator<Zones> {
    const { zones } = this.#tally.index;
    const isLarge = (zone: number) => (zones[zone]?.members.length ?? 0) > 1;
    const { pairs } = this.#zonePairs;
    const seen = zones.length < 3 ? [] : new Set(pairs.flatMap(({ from, to }) => [from, to]));
    for (const zone of seen) if (isLarge(zone)) yield { type: 'zones', zone, other: undefined };
    for (const { from, to } of pairs) {
      if (from > to && this.#zonePairs.numberOf(to, from) !== -1) continue;
      if (isLarge(from) && isLarge(to)) yield { type: 'zones', zone: from, other: to };
    }
  }

  cluster(): RegionPart {
    const { side, ...rest } = (this.#cluster ??= this.#countCluster());
    return { ...rest, to: { ...side, open: this.#explanation.openAll } };
  }

  #countCluster() {
    const { pairs, rest } = this.#zonePairs;
    const sums = [...pairs.map((pair) => pair.sums), rest];
    // Where one observer alone sees it, it is more likely the observer.
    const isLone = this.#tally.countFailingObservers() < 2;
    return {
      subjects: 1,
      side: this.#clusterSide(sums),
      from: undefined,
      loneIn: isLone ? this.#tally.index.size : undefined,
      answering: answersAmong(sums),
    };
  }

  #clusterSide(sums: readonly PathSums[]): Side {
    const { index, observations, trouble } = this.#tally;
    if (trouble === 'mtu')
      return testedSide(badIn(sums), observations.entries, allEntries(this.#tally));
    const { observers } = observations;
    const toldBy = (observer: Observer, channel: number) =>
      coveredIn(observer, index.whole, channel, index) -
      (this.#tally.coversItself(observer, channel) ? 1 : 0);
    const begins = beginsOf(this.#tally, sums, () => []);
    const nodes = index.size;
    const side = sideOf(this.#tally, sums, begins, { observers, toldBy, nodes });
    const times = this.#tally.times.hinted(nodes, maskOf(side.bad));
    const [failsFrom, failsTo] = [this.#tally.from.bad, this.#tally.to.bad];
    const between = { observers, isTo: () => true, toldBy, failsFrom, failsTo };
    const probed = times.map((time, channel) => {
      const [bad, working] = [side.bad[channel] ?? 0, side.probed[channel] ?? 0];
      // So many work that it is not the whole cluster, however the probes were spread.
      if (bad === 0 || working - bad > bad) return working;
      return workingOfEvenProbes(this.#tally, between, channel, begins[channel] ?? Infinity, time);
    });
    return { ...side, probed };
  }

  ofZones(subject: Zones): RegionPart & SubjectPart {
    const { size, zones } = this.#tally.index;
    const count = zones.length;
    const { to, from, toPairs, fromPairs, isLone, answering } = this.#sides(subject);
    return {
      subjects: subject.other === undefined ? count : (count * (count - 1)) / 2,
      to: { ...to, open: this.#openOf(toPairs) },
      from: { ...from, open: this.#openOf(fromPairs) },
      loneIn: isLone ? size : undefined,
      answering,
    };
  }

  /** All entries in a direction. */
  entriesOf(subject: Zones, ways: Ways): Int32Array {
    const { toPairs, fromPairs } = this.#sides(subject);
    return entriesOf([...(ways === 'out' ? [] : toPairs), ...(ways === 'in' ? [] : fromPairs)]);
  }

  /** Whether the paths of zones fail as evenly as probes come round, in one direction (`failEvenly`). */
  isEven(subject: Zones, way: 'in' | 'out', mask: number, share: number): boolean {
    const { toPairs, fromPairs } = this.#sides(subject);
    const [pairs, back] = way === 'in' ? [toPairs, fromPairs] : [fromPairs, toPairs];
    return failEvenly(this.#tally, subject, { way, pairs, back }, mask, share);
  }

  #sides({ zone, other }: Zones): ZoneSides {
    const key = zone * this.#tally.index.zones.length + (other ?? zone);
    return getOrInsert(this.#zoneSides, key, () => this.#countSides(zone, other));
  }

  #countSides(zone: number, other: number | undefined): ZoneSides {
    const { pairs } = this.#zonePairs;
    const isOfOne = other === undefined;
    const toPairs = pairs.filter(({ from, to }) =>
      isOfOne ? to === zone : from === zone && to === other,
    );
    const fromPairs = pairs.filter(({ from, to }) =>
      isOfOne ? from === zone : from === other && to === zone,
    );
    const both = [...toPairs, ...fromPairs];
    return {
      to: isOfOne ? this.#ofZone(zone, 'in') : this.#between(zone, other),
      from: isOfOne ? this.#ofZone(zone, 'out') : this.#between(other, zone),
      toPairs,
      fromPairs,
      isLone: isLone(
        this.#tally,
        entriesOf(both),
        (node) => this.#tally.index.zoneOf[node] === zone,
      ),
      answering: answersAmong(sumsOf(both)),
    };
  }

  /**
   * The paths between one zone and all others: the sum of those between it and each of them. So against one cause and against
   * several that cover the same paths there is the same evidence, however it is chosen when these began to fail.
   * @param way `in`: from the others to it
   */
  #ofZone(zone: number, way: 'in' | 'out'): Side {
    const others = [...this.#tally.index.zones.keys()].filter((other) => other !== zone);
    const ways = others.map((other) => (way === 'in' ? [other, zone] : [zone, other]) as Way);
    const pairs = ways.flatMap(([from, to]) => this.#pair(from, to));
    const back = () => sumsOf(ways.flatMap(([from, to]) => this.#pair(to, from)));
    const begins = beginsOf(this.#tally, sumsOf(pairs), back);
    return sumOfSides(
      ways.map(([from, to]) => {
        const failing = Math.max(...badIn(sumsOf(this.#pair(from, to))));
        return failing >= leastOwn ? this.#between(from, to) : this.#count(from, to, begins);
      }),
    );
  }

  /** The paths from the observers of one zone to the nodes of another one. */
  #between(from: number, to: number): Side {
    const key = from * this.#tally.index.zones.length + to;
    return getOrInsert(this.#betweenZones, key, () => {
      const reverse = () => sumsOf(this.#pair(to, from));
      return this.#count(from, to, beginsOf(this.#tally, sumsOf(this.#pair(from, to)), reverse));
    });
  }

  #count(from: number, to: number, begins: Begins): Side {
    const { index, observations, trouble } = this.#tally;
    const pairs = this.#pair(from, to);
    const sums = sumsOf(pairs);
    if (trouble === 'mtu') return testedSide(badIn(sums), observations.entries, entriesOf(pairs));
    const zone = index.zones[to] ?? index.whole;
    return sideOf(this.#tally, sums, begins, {
      observers: this.#observersOfZone[from] ?? [],
      toldBy: (observer, channel) => coveredIn(observer, zone, channel, index),
      nodes: zone.members.length,
    });
  }

  /** Two zones, in this direction; nothing where no row has an entry of it. */
  #pair(from: number, to: number): readonly ZonePair[] {
    const pair = this.#zonePairs.pairs[this.#zonePairs.numberOf(from, to)];
    return pair ? [pair] : [];
  }

  #openOf(pairs: readonly ZonePair[]): number[] {
    return addUp(pairs.map(({ number }) => this.#explanation.openIn(number)));
  }
}

function badIn(sums: readonly PathSums[]): number[] {
  return addUp(sums.map(({ bad }) => bad));
}

/** All entries, also those about paths that are well. */
export function allEntries({ observations }: Tally): Int32Array {
  const all = new Int32Array(observations.entries.size);
  for (let entry = 0; entry < all.length; entry++) all[entry] = entry;
  return all;
}
