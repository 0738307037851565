import type { Ways } from '../nouns/cause.js';
import { addUp } from '../nouns/channel-mask.js';
import type { Side } from '../nouns/sight.js';
import type { Subject } from '../nouns/subject.js';
import { testedSide } from '../evidence/large-passes.js';
import type { Observer } from '../evidence/observations.js';
import { sideOf, type PathSums } from '../evidence/path-sums.js';
import type { Tally } from '../evidence/tally.js';
import { coveredIn } from '../evidence/witnesses.js';
import { answersAmong, entriesOf, type ZonePair, type ZonePairs } from '../evidence/zone-pairs.js';
import type { Explanation } from './explanation.js';
import { isLone } from './lone.js';
import type { SubjectPart, SubjectPaths } from './subject-paths.js';

/** This share of the other paths of the cluster counts as looked at since any trouble began. */
const leastProbedShare = 0.1;

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

type RegionPart = Pick<SubjectPaths, 'subjects' | 'to' | 'from' | 'loneIn' | 'answering'>;

/** The paths of the cluster, those between a zone and all others, and those between two zones. */
export class RegionPaths {
  readonly #tally: Tally;
  readonly #zonePairs: ZonePairs;
  readonly #explanation: Explanation;
  readonly #observersOfZone: readonly (readonly Observer[])[];
  readonly #zoneSides = new Map<number, ZoneSides>();
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

  /** The zones of more than one node that have entries. */
  *zones(): Generator<Zones> {
    const { zones } = this.#tally.index;
    const isLarge = (zone: number) => (zones[zone]?.members.length ?? 0) > 1;
    const seen = new Set<number>();
    for (const { from, to } of this.#zonePairs.pairs) {
      if (from < to || this.#zonePairs.numberOf(to, from) === -1) {
        if (isLarge(from) && isLarge(to)) yield { type: 'zones', zone: from, other: to };
      }
      seen.add(from).add(to);
    }
    if (zones.length < 3) return;
    for (const zone of seen) if (isLarge(zone)) yield { type: 'zones', zone, other: undefined };
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
      coveredIn(observer, index.whole, channel) -
      (this.#tally.coversItself(observer, channel) ? 1 : 0);
    const side = sideOf(this.#tally, sums, () => [], { observers, toldBy });
    // Until rows tell of the rest, a few nodes are not the whole cluster.
    const { bad, reported } = side;
    const probed = Array.from(side.probed, (paths, channel) =>
      Math.max(paths, leastProbedShare * ((reported[channel] ?? 0) - (bad[channel] ?? 0))),
    );
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

  #sides({ zone, other }: Zones): ZoneSides {
    const key = zone * this.#tally.index.zones.length + (other ?? zone);
    const sides = this.#zoneSides.get(key) ?? this.#countSides(zone, other);
    this.#zoneSides.set(key, sides);
    return sides;
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
      to: this.#between(isOfOne ? undefined : zone, other ?? zone, toPairs, fromPairs),
      from: this.#between(other ?? zone, isOfOne ? undefined : zone, fromPairs, toPairs),
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
   * The paths from the observers of a zone to the nodes of another one.
   * @param from the number of a zone; undefined: all nodes but those of `to`
   * @param to the number of a zone; undefined: all nodes but those of `from`
   * @param pairs the pairs of zones that these paths are between
   * @param reverse those of the other direction
   */
  #between(
    from: number | undefined,
    to: number | undefined,
    pairs: readonly ZonePair[],
    reverse: readonly ZonePair[],
  ): Side {
    const { index, observations, trouble } = this.#tally;
    const sums = sumsOf(pairs);
    if (trouble === 'mtu') return testedSide(badIn(sums), observations.entries, entriesOf(pairs));
    const { whole, zones, zoneOf } = index;
    const inZone = (observer: Observer, zone: number | undefined, channel: number) =>
      coveredIn(observer, zones[zone ?? -1] ?? whole, channel);
    const toldBy = (observer: Observer, channel: number) =>
      inZone(observer, to, channel) - (to === undefined ? inZone(observer, from, channel) : 0);
    const observers =
      from === undefined
        ? observations.observers.filter(({ node }) => zoneOf[node] !== to)
        : (this.#observersOfZone[from] ?? []);
    return sideOf(this.#tally, sums, () => sumsOf(reverse), { observers, toldBy });
  }

  #openOf(pairs: readonly ZonePair[]): number[] {
    return addUp(pairs.map(({ number }) => this.#explanation.openIn(number)));
  }
}

function sumsOf(pairs: readonly ZonePair[]): PathSums[] {
  return pairs.map(({ sums }) => sums);
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
