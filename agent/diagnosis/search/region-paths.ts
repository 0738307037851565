import type { Ways } from '../nouns/cause.js';
import { addUp } from '../nouns/channel-mask.js';
import type { Side } from '../nouns/sight.js';
import type { Subject } from '../nouns/subject.js';
import type { Tally } from '../evidence/tally.js';
import type { ZonePairs } from '../evidence/zone-pairs.js';
import type { ZoneSums } from '../evidence/zone-sums.js';
import type { Explanation } from './explanation.js';
import { isLone } from './lone.js';
import type { SubjectPart, SubjectPaths } from './subject-paths.js';

/** One zone and all others, or two zones. */
export type Zones = Subject & { readonly type: 'zones' };

/** What does not change with the explanation. Of two zones `to` leads from the first to the other; of one it leads into it. */
interface ZoneSides {
  readonly to: Side;
  readonly from: Side;
  /** The pairs of zones that these paths are between. */
  readonly toPairs: readonly number[];
  readonly fromPairs: readonly number[];
  readonly isLone: boolean;
  /** The channels on which most failures are answers. */
  readonly answering: number;
}

type RegionPart = Pick<SubjectPaths, 'subjects' | 'to' | 'from' | 'loneIn' | 'answering'>;

/** The paths of the cluster, those between a zone and all others, and those between two zones. */
export class RegionPaths {
  readonly #tally: Tally;
  readonly #zonePairs: ZonePairs;
  readonly #zoneSums: ZoneSums;
  readonly #explanation: Explanation;
  readonly #zoneSides = new Map<number, ZoneSides>();
  #cluster:
    { readonly side: Side; readonly answering: number; readonly isLone: boolean } | undefined;

  constructor(tally: Tally, zonePairs: ZonePairs, zoneSums: ZoneSums, explanation: Explanation) {
    this.#tally = tally;
    this.#zonePairs = zonePairs;
    this.#zoneSums = zoneSums;
    this.#explanation = explanation;
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
    const { index } = this.#tally;
    this.#cluster ??= {
      side: this.#zoneSums.cluster(),
      // Where one observer alone sees it, it is more likely the observer.
      isLone: this.#tally.countFailingObservers() < 2,
      answering: this.#zoneSums.answersOfAll(),
    };
    const { side, isLone, answering } = this.#cluster;
    return {
      subjects: 1,
      to: { ...side, open: this.#explanation.openAll },
      from: undefined,
      loneIn: isLone ? index.size : undefined,
      answering,
    };
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
    return this.#zonePairs.entriesOf([
      ...(ways === 'out' ? [] : toPairs),
      ...(ways === 'in' ? [] : fromPairs),
    ]);
  }

  #sides({ zone, other }: Zones): ZoneSides {
    const key = zone * this.#tally.index.zones.length + (other ?? zone);
    const sides = this.#zoneSides.get(key) ?? this.#countSides(zone, other);
    this.#zoneSides.set(key, sides);
    return sides;
  }

  #countSides(zone: number, other: number | undefined): ZoneSides {
    const numbers = (isOne: (from: number, to: number) => boolean) =>
      [...this.#zonePairs.pairs.entries()].flatMap(([number, { from, to }]) =>
        isOne(from, to) ? number : [],
      );
    const isOfOne = other === undefined;
    const toPairs = numbers((from, to) => (isOfOne ? to === zone : from === zone && to === other));
    const fromPairs = numbers((from, to) =>
      isOfOne ? from === zone : from === other && to === zone,
    );
    return {
      to: this.#zoneSums.between(isOfOne ? undefined : zone, other ?? zone, toPairs, fromPairs),
      from: this.#zoneSums.between(other ?? zone, isOfOne ? undefined : zone, fromPairs, toPairs),
      toPairs,
      fromPairs,
      isLone: isLone(
        this.#tally,
        this.#zonePairs.entriesOf([...toPairs, ...fromPairs]),
        (node) => this.#tally.index.zoneOf[node] === zone,
      ),
      answering: this.#zoneSums.answersAmong([...toPairs, ...fromPairs]),
    };
  }

  #openOf(pairs: readonly number[]): number[] {
    return addUp(pairs.map((pair) => this.#explanation.openIn(pair)));
  }
}
