import type { Cause, Ways } from '../nouns/cause.js';
import type { Subject } from '../nouns/subject.js';
import type { Explanation } from './explanation.js';
import { detectS } from '../evidence/time-model.js';
import { GroupPaths } from './group-paths.js';
import { bestPattern, noSide, type Look, type OpenSide, type Pattern } from './patterns.js';
import { leastKnownShare, leastShare } from './prior.js';
import type { KnownClaimsAt } from './known-claims.js';
import { causeOf, type Subjects } from './subjects.js';
import { pathWeights } from './weights.js';
import type { Seen, Side } from '../nouns/sight.js';
import { rowChannel, type Tally } from '../evidence/tally.js';
import type { ZonePairs } from '../evidence/zone-pairs.js';
import { allEntries, type ZoneSums } from '../evidence/zone-sums.js';

/** Which subjects are looked at, and what is known of them from outside. */
export interface PathSubjectOptions {
  readonly tally: Tally;
  readonly zonePairs: ZonePairs;
  readonly zoneSums: ZoneSums;
  readonly explanation: Explanation;
  /** The claims of a subject's causes in the last run; undefined if it had none. */
  readonly knownClaims: KnownClaimsAt;
  /** For lossy and slow paths: the usual share by channel. */
  readonly usual: readonly number[];
  /** Channels of one cause begin to fail within this time, in seconds. */
  readonly onsetS: number;
  /** The HTTP interval in seconds. */
  readonly intervalS: number;
  /**
   * Whether the local node, which is the first, heard the other one until it failed to reach it, and
   * not since.
   */
  readonly fellSilent: (from: number, to: number, ageS: number) => boolean;
}

/** So many observers must see that large packets are lost for it to be the cluster. */
const leastClusterObservers = 3;

interface ZoneSides {
  readonly to: Side;
  readonly from: Side;
  readonly toPairs: readonly number[];
  readonly fromPairs: readonly number[];
  readonly isLone: boolean;
  /** The channels on which most failures are answers. */
  readonly answering: number;
}

interface Best {
  readonly changes: number;
  readonly cause: Cause | undefined;
}

/** Finds the best cause at any subject, given what the present explanation leaves open. */
export class PathSubjects implements Subjects {
  readonly #options: PathSubjectOptions;
  readonly #zoneSides = new Map<string, ZoneSides>();
  /** The best cause at each node, and how often what is open there had changed by then. */
  readonly #nodeBests = new Map<number, Best>();
  /** What does not change with the explanation; undefined until it is asked for. */
  #all: readonly Subject[] | undefined;
  #groupCandidates: readonly number[] = [];
  readonly #groups: GroupPaths;
  #cluster: Side | undefined;
  #failingObservers: number | undefined;
  #answering: number | undefined;

  constructor(options: PathSubjectOptions) {
    this.#options = options;
    this.#groups = new GroupPaths(options.tally, options.explanation);
  }

  /** The cluster, zones and pairs of zones, groups and nodes that may be a cause. */
  *all(): Generator<void, readonly Subject[]> {
    if (this.#all) return this.#all;
    this.#groupCandidates = yield* this.#groups.candidates();
    const all: Subject[] = [];
    let nodes = 0;
    for (const subject of this.#withTrouble()) {
      if (this.#mayBeCause(subject)) all.push(subject);
      if (subject.type !== 'node' || ++nodes % 200 === 0) yield;
    }
    this.#all = all;
    return all;
  }

  *#withTrouble(): Generator<Subject> {
    const { tally, zonePairs } = this.#options;
    const { zones } = tally.index;
    // Losses and slowness of the whole cluster are told from what is usual before all else.
    if (tally.trouble === 'broken' || this.#isManyLosses()) yield { type: 'cluster' };
    const isLarge = (zone: number) => (zones[zone]?.members.length ?? 0) > 1;
    const seen = new Set<number>();
    for (const { from, to } of zonePairs.pairs) {
      if (from < to || zonePairs.numberOf(to, from) === -1) {
        if (isLarge(from) && isLarge(to)) yield { type: 'zones', zone: from, other: to };
      }
      seen.add(from).add(to);
    }
    if (zones.length > 2) {
      for (const zone of seen) if (isLarge(zone)) yield { type: 'zones', zone, other: undefined };
    }
    for (const group of this.#groupCandidates) yield { type: 'group', group };
    for (const node of tally.nodes()) yield { type: 'node', node };
  }

  /** Mostly few paths were tested for large packets, so what two nodes see says nothing of the others. */
  #isManyLosses(): boolean {
    const { tally } = this.#options;
    return tally.trouble === 'mtu' && tally.countFailingObservers() >= leastClusterObservers;
  }

  /** The best cause at a subject; undefined if none explains more than it costs. */
  best(subject: Subject): Cause | undefined {
    if (subject.type !== 'node') return this.#newBest(subject);
    // There may be thousands of nodes, each asked for often.
    const changes = this.#options.explanation.changesAt(subject.node);
    const last = this.#nodeBests.get(subject.node);
    if (last?.changes === changes) return last.cause;
    const { explanation } = this.#options;
    const cause = explanation.hasOpenAt(subject.node) ? this.#newBest(subject) : undefined;
    this.#nodeBests.set(subject.node, { changes, cause });
    return cause;
  }

  #newBest(subject: Subject): Cause | undefined {
    if (subject.type === 'group') return this.#bestOfGroup(subject);
    const look = this.#look(subject);
    const pattern = bestPattern(look);
    if (!pattern) return undefined;
    // Whoever fell silent fails in the other direction too.
    const isSilent = (look.support ?? 0) > 0;
    return this.#cause(subject, isSilent ? { ...pattern, ways: 'both' } : pattern);
  }

  /** The paths within a group go with those to it, or with those from it. */
  #bestOfGroup(subject: Subject & { readonly type: 'group' }): Cause | undefined {
    const [first, second] = (['to', 'from'] as const).map((within) => {
      const pattern = bestPattern(this.#groupLook(subject, within));
      // Without the paths within, one direction alone is not all of it.
      return pattern?.ways === (within === 'to' ? 'out' : 'in') ? undefined : pattern;
    });
    const best = (second?.gain ?? 0) > (first?.gain ?? 0) ? second : first;
    if (!best || !this.#groups.isOfAll(subject.group, best.mask, best.ways)) return undefined;
    return this.#cause(subject, best);
  }

  #groupLook(subject: Subject & { readonly type: 'group' }, within: 'to' | 'from'): Look {
    const { tally, knownClaims, usual, onsetS } = this.#options;
    const { group } = subject;
    return {
      type: 'group',
      weights: pathWeights[tally.trouble],
      subjects: this.#groups.countLike(group),
      usual,
      known: knownClaims(subject),
      ...this.#groups.answers(group),
      meanAgeS: (channel, ways) => this.#groups.meanAgeS(group, channel, ways),
      onsetS,
      ...this.#groups.disjoint(group, within),
    };
  }

  /** How many nodes of a group have its trouble, and of how many it is known. */
  within(cause: Cause): Seen {
    return this.#groups.within(cause);
  }

  /** How many nodes beside a group have its trouble too. */
  beside(cause: Cause): Seen {
    return this.#groups.beside(cause);
  }

  /** Whether enough of a subject's paths have the trouble on some channel for a cause there. */
  #mayBeCause(subject: Subject): boolean {
    const { tally, knownClaims } = this.#options;
    if (pathWeights[tally.trouble].hasUsualShare || subject.type === 'group') return true;
    const { to, from } =
      subject.type === 'node'
        ? { to: tally.toNode(subject.node), from: tally.fromNode(subject.node) }
        : this.sides(subject);
    const least = knownClaims(subject) === undefined ? leastShare : leastKnownShare;
    return hasShare(to, least) || hasShare(from, least);
  }

  /** The paths of a subject in both directions, as `Ways` tells them apart. */
  sides(subject: Subject): { readonly to: OpenSide; readonly from: OpenSide } {
    if (subject.type === 'group') return this.#groups.sides(subject.group);
    const { to, from = noSide } = this.#look(subject);
    return { to, from };
  }

  #look(subject: Subject): Look {
    if (subject.type === 'node') return this.#nodeLook(subject);
    if (subject.type === 'group') return this.#groupLook(subject, 'to');
    const { tally, explanation, knownClaims, usual } = this.#options;
    const { size, zones } = tally.index;
    const common = { weights: pathWeights[tally.trouble], usual, known: knownClaims(subject) };
    switch (subject.type) {
      case 'cluster': {
        this.#cluster ??= this.#options.zoneSums.cluster();
        const to = { ...this.#cluster, open: explanation.openAll };
        // Where one observer alone sees it, it is more likely the observer.
        this.#failingObservers ??= tally.countFailingObservers();
        const loneIn = this.#failingObservers > 1 ? undefined : size;
        this.#answering ??= this.#options.zoneSums.answersOfAll();
        const answering = this.#answering;
        return { ...common, type: 'cluster', subjects: 1, to, from: undefined, loneIn, answering };
      }
      case 'zones': {
        const sides = this.#zones(subject.zone, subject.other);
        const count = zones.length;
        return {
          ...common,
          type: 'zones',
          subjects: subject.other === undefined ? count : (count * (count - 1)) / 2,
          loneIn: sides.isLone ? size : undefined,
          answering: sides.answering,
          to: { ...sides.to, open: this.#openOf(sides.toPairs) },
          from: { ...sides.from, open: this.#openOf(sides.fromPairs) },
        };
      }
      case 'pair': {
        const sides = this.#pairSides(subject.from, subject.to);
        return { ...common, type: 'pair', subjects: (size * (size - 1)) / 2, ...sides };
      }
    }
  }

  // Made for thousands of nodes, so without spreads and closures that are not needed.
  #nodeLook(subject: Subject & { readonly type: 'node' }): Look {
    const { tally, explanation, knownClaims, usual, onsetS } = this.#options;
    const { node } = subject;
    const [to, from] = [tally.toNode(node), tally.fromNode(node)];
    return {
      type: 'node',
      weights: pathWeights[tally.trouble],
      subjects: tally.index.size,
      usual,
      known: knownClaims(subject),
      answering: tally.answersOf(node),
      answered: tally.answersTo(node),
      meanAgeS: (channel, ways) => tally.meanAgeS(node, channel, ways),
      onsetS,
      to: {
        bad: to.bad,
        well: to.well,
        looked: to.looked ?? to.well,
        told: to.told ?? to.well,
        open: explanation.openTo(node),
      },
      from: {
        bad: from.bad,
        well: from.well,
        looked: from.looked ?? from.well,
        told: from.told ?? from.well,
        open: explanation.openFrom(node),
      },
    };
  }

  #zones(zone: number, other: number | undefined): ZoneSides {
    return this.#zoneSides.get(zoneKey(zone, other)) ?? this.#countZones(zone, other);
  }

  #countZones(zone: number, other: number | undefined): ZoneSides {
    const { zonePairs, zoneSums } = this.#options;
    const numbers = (matches: (from: number, to: number) => boolean) =>
      [...zonePairs.pairs.keys()].filter((number) => {
        const pair = zonePairs.pairs[number];
        return pair !== undefined && matches(pair.from, pair.to);
      });
    // Of two zones `to` leads from the first to the other; of one zone it leads into it.
    const toPairs = numbers((from, to) =>
      other === undefined ? to === zone : from === zone && to === other,
    );
    const fromPairs = numbers((from, to) =>
      other === undefined ? from === zone : from === other && to === zone,
    );
    const [there, back] = [zonePairs.entriesOf(toPairs), zonePairs.entriesOf(fromPairs)];
    const sides: ZoneSides = {
      to:
        other === undefined
          ? zoneSums.between(undefined, zone, toPairs)
          : zoneSums.between(zone, other, toPairs),
      from: zoneSums.between(
        other === undefined ? zone : other,
        other === undefined ? undefined : zone,
        fromPairs,
      ),
      toPairs,
      fromPairs,
      isLone: this.#isLone(zone, [there, back]),
      answering: zoneSums.answersAmong([...toPairs, ...fromPairs]),
    };
    this.#zoneSides.set(zoneKey(zone, other), sides);
    return sides;
  }

  /** Whether fewer than two nodes on a side are affected: then it is more likely the node. */
  #isLone(zone: number, lists: readonly Int32Array[]): boolean {
    const { tally } = this.#options;
    const { entries } = tally.observations;
    const [inside, outside] = [new Set<number>(), new Set<number>()];
    for (const list of lists) {
      for (const entry of list) {
        if (tally.bad[entry] === 0) continue;
        for (const node of [entries.from[entry] ?? 0, entries.to[entry] ?? 0]) {
          (tally.index.zoneOf[node] === zone ? inside : outside).add(node);
        }
        if (inside.size > 1 && outside.size > 1) return false;
      }
    }
    return true;
  }

  #openOf(pairs: readonly number[]): number[] {
    const { explanation } = this.#options;
    const open = [0, 0, 0, 0];
    for (const pair of pairs) {
      const more = explanation.openIn(pair);
      for (let channel = 0; channel < 4; channel++) {
        open[channel] = (open[channel] ?? 0) + (more[channel] ?? 0);
      }
    }
    return open;
  }

  /**
   * Both directions of a pair, the weight of a report that another observation replaces, and how far
   * apart the two began.
   */
  #pairSides(a: number, b: number): Pick<Look, 'to' | 'support' | 'apart'> & { from: OpenSide } {
    const { tally, explanation, fellSilent, intervalS } = this.#options;
    const [there, back] = [this.entryOf(a, b), this.entryOf(b, a)];
    const beganS = Math.max(tally.oldestS(there), tally.oldestS(back)) + detectS;
    const side = (from: number, to: number, entry: number) => {
      const mask = entry === -1 ? 0 : explanation.openMask(entry);
      const open = [0, 0, 0, 0];
      let ageS = 0;
      for (let channel = 0; channel < 4; channel++) {
        if (((mask >> channel) & 1) === 0) continue;
        open[channel] = explanation.weightOf(entry, channel);
        ageS = Math.max(ageS, tally.ageS(entry, channel));
      }
      const silentS = entry === -1 ? 0 : tally.ageS(entry, rowChannel);
      return { ...tally.pair(from, to, entry, beganS), open, ageS, silentS };
    };
    const [to, from] = [side(a, b, there), side(b, a, back)];
    // An end of a cut pair gets no row of the other end. If that one fell silent when its host HTTP
    // failed, this counts as if it reported the same.
    const lacksReverse =
      tally.trouble === 'broken' &&
      tally.observations.observerOf[b] === -1 &&
      (to.open[rowChannel] ?? 0) > 0;
    const isSilent = lacksReverse && fellSilent(a, b, to.silentS);
    const support = isSilent ? to.open.reduce<number>((sum, open) => sum + open, 0) : 0;
    const isBoth = to.ageS > 0 && from.ageS > 0;
    const apart = isBoth ? Math.abs(to.ageS - from.ageS) / intervalS : 0;
    return { to, from, support, apart };
  }

  /** The entry of one node about another; -1 if there is none. */
  entryOf(from: number, to: number): number {
    const { tally } = this.#options;
    const { entries } = tally.observations;
    const [first, end] = tally.rangeFrom(from);
    for (let entry = first; entry < end; entry++) if (entries.to[entry] === to) return entry;
    return -1;
  }

  #cause(subject: Subject, pattern: Pattern): Cause {
    const { tally } = this.#options;
    const { claim, mask, ways, well, cost, gain } = pattern;
    const entries = withTrouble(this.entriesOf(subject, ways), tally, mask);
    return causeOf(
      tally,
      { subject, claim, mask, ways, well, cost, gain, isPartial: false },
      entries,
    );
  }

  /** All entries of a subject in a direction, also those about paths that are well. */
  knownEntries(subject: Subject, ways: Ways): Int32Array {
    return subject.type === 'cluster'
      ? allEntries(this.#options.tally)
      : this.entriesOf(subject, ways);
  }

  /** All entries of a subject in a direction; of the cluster those that have the trouble. */
  entriesOf(subject: Subject, ways: Ways): Int32Array {
    const { tally, zonePairs } = this.#options;
    const [hasTo, hasFrom] = [ways !== 'out', ways !== 'in'];
    switch (subject.type) {
      case 'cluster':
        return tally.badEntries;
      case 'zones': {
        const { toPairs, fromPairs } = this.#zones(subject.zone, subject.other);
        const pairs = [...(hasTo ? toPairs : []), ...(hasFrom ? fromPairs : [])];
        return zonePairs.entriesOf(pairs);
      }
      case 'group':
        return this.#groups.entriesOf(subject.group, ways);
      case 'node': {
        if (!hasFrom) return tally.entriesTo(subject.node);
        const into = hasTo ? tally.entriesTo(subject.node) : new Int32Array();
        const [first, end] = tally.rangeFrom(subject.node);
        const all = new Int32Array(into.length + end - first);
        all.set(into);
        for (let entry = first; entry < end; entry++) all[into.length + entry - first] = entry;
        return all;
      }
      case 'pair': {
        const both = [
          hasTo ? this.entryOf(subject.from, subject.to) : -1,
          hasFrom ? this.entryOf(subject.to, subject.from) : -1,
        ];
        return Int32Array.from(both.filter((entry) => entry !== -1));
      }
    }
  }
}

/** Those of some entries that have the trouble on a channel of a mask. */
function withTrouble(entries: Int32Array, { bad }: Tally, mask: number): Int32Array {
  let count = 0;
  for (const entry of entries) if ((bad[entry] ?? 0) & mask) count++;
  if (count === entries.length) return entries;
  const kept = new Int32Array(count);
  let at = 0;
  for (const entry of entries) if ((bad[entry] ?? 0) & mask) kept[at++] = entry;
  return kept;
}

/** Whether enough paths of a side have the trouble on some channel. */
function hasShare({ bad, well, looked = well }: Side, least: number): boolean {
  for (let channel = 0; channel < 4; channel++) {
    const fails = bad[channel] ?? 0;
    if (fails > 0 && fails >= least * (fails + (looked[channel] ?? 0))) return true;
  }
  return false;
}

function zoneKey(zone: number, other: number | undefined): string {
  return `${zone} ${other ?? ''}`;
}
