import type { Cause, Ways } from '../nouns/cause.js';
import type { Cut, Subject } from '../nouns/subject.js';
import { allEntries, type ClusterPaths } from './cluster-paths.js';
import { isApart } from './cut-apart.js';
import { groupCuts, zoneCuts } from './cut-candidates.js';
import { CutPaths } from './cut-paths.js';
import { GroupPaths } from './group-paths.js';
import { pairPaths, type PairFacts } from './pair-paths.js';
import { bestPattern } from './patterns.js';
import {
  noSide,
  causeOf,
  type OpenSide,
  type Pattern,
  type SubjectPaths,
  type Subjects,
} from './subjects.js';
import { leastKnownShare, leastShare } from './prior.js';
import type { FormerCausesOf } from './former-causes.js';
import { explainedPaths, workedMeanwhile } from './explained-paths.js';
import { pathWeights } from './weights.js';
import type { Side } from '../nouns/sight.js';
import { hasShare } from '../evidence/path-counts.js';
import type { Tally } from '../evidence/tally.js';
import type { GroupPairs } from '../evidence/group-pairs.js';
import { GroupMembers } from '../evidence/member-states.js';

/** Which subjects are looked at, and what is known of them from outside. */
export interface PathSubjectOptions extends PairFacts {
  readonly pairs: GroupPairs;
  readonly cluster: ClusterPaths;
  /** The channels of a subject's causes in the last run; undefined if it had none. */
  readonly formerCauses: FormerCausesOf;
  /** For lossy and slow paths: the usual share by channel. */
  readonly usual: readonly number[];
  /** Channels of one cause begin to fail within this time, in seconds. */
  readonly onsetS: number;
}

/** So many observers must see that large packets are lost for it to be the cluster. */
const leastClusterObservers = 3;

interface Best {
  readonly changes: number;
  readonly cause: Cause | undefined;
}

/** Finds the best cause at any subject, given what the present explanation leaves open. */
export class PathSubjects implements Subjects {
  readonly #options: PathSubjectOptions;
  /** The best cause at each node, and how often what is open there had changed by then. */
  readonly #nodeBests: (Best | undefined)[] = [];
  /** What does not change with the explanation; undefined until it is asked for. */
  #all: readonly Subject[] | undefined;
  readonly groups: GroupPaths;
  readonly cuts: CutPaths;
  /** How many pairs of groups of one label there are. */
  #groupCuts = 0;
  /** What is known of the nodes of any group. */
  readonly members: GroupMembers;

  constructor(options: PathSubjectOptions) {
    this.#options = options;
    const { tally, pairs, explanation } = options;
    this.groups = new GroupPaths(tally, explanation);
    this.cuts = new CutPaths(tally, pairs, explanation);
    this.members = new GroupMembers(tally);
  }

  /** The cluster, zones and pairs of zones, groups and nodes that may be a cause. */
  *all(): Generator<void, readonly Subject[]> {
    if (this.#all) return this.#all;
    const groups = yield* this.groups.candidates();
    const { cuts, of } = yield* groupCuts(this.#options.tally, this.cuts);
    this.#groupCuts = of;
    const all: Subject[] = [];
    let nodes = 0;
    for (const subject of this.#withTrouble(groups, cuts)) {
      if ('other' in subject) yield* this.cuts.count(subject);
      if (this.#mayBeCause(subject)) all.push(subject);
      if (subject.type !== 'node' || ++nodes % 200 === 0) yield;
    }
    this.#all = all;
    return all;
  }

  *#withTrouble(groups: readonly number[], cuts: readonly Cut[]): Generator<Subject> {
    const { tally, pairs } = this.#options;
    // Losses and slowness of the whole cluster are told from what is usual before all else.
    // Mostly few paths were tested for large packets, so what two nodes see says nothing of the others.
    const isManyLosses =
      tally.trouble === 'mtu' && tally.hasFailingObservers(leastClusterObservers);
    if (tally.trouble === 'broken' || isManyLosses) yield { type: 'cluster' };
    yield* zoneCuts(tally, pairs);
    for (const group of groups) yield { type: 'group', group };
    yield* cuts;
    for (const node of tally.nodes()) yield { type: 'node', node };
  }

  /** The best cause at a subject; undefined if none explains more than it costs. */
  best(subject: Subject): Cause | undefined {
    if (subject.type !== 'node') return this.#newBest(subject);
    // There may be thousands of nodes, each asked for often.
    const changes = this.#options.explanation.changesAt(subject.node);
    const last = this.#nodeBests[subject.node];
    if (last?.changes === changes) return last.cause;
    const { explanation } = this.#options;
    const cause = explanation.hasOpenAt(subject.node) ? this.#newBest(subject) : undefined;
    this.#nodeBests[subject.node] = { changes, cause };
    return cause;
  }

  #newBest(subject: Subject): Cause | undefined {
    if (subject.type === 'group') return this.#bestOfGroup(subject);
    const paths = this.#pathsOf(subject);
    const pattern = bestPattern(paths);
    if (!pattern) return undefined;
    if (subject.type === 'groups') {
      const entries = this.cuts.entriesOf(subject, pattern.ways);
      if (!isApart(this.#options.tally, subject, entries, pattern.knownChannels)) return undefined;
    }
    // What only the rows of a zone tell may be as well that other zones went off.
    const isOfZone = subject.type === 'zones' && subject.other === undefined;
    if (isOfZone && paths.weights.isProbed && pattern.ways === 'out') {
      const { knownChannels } = pattern;
      if (!this.cuts.beganTogether(subject, knownChannels, this.#options.onsetS)) return undefined;
    }
    // Whoever fell silent fails in the other direction too.
    const isSilent = (paths.support ?? 0) > 0;
    return this.#cause(subject, isSilent ? { ...pattern, ways: 'both' } : pattern);
  }

  /** The paths within a group go with those to it, or with those from it. */
  #bestOfGroup(subject: Subject & { readonly type: 'group' }): Cause | undefined {
    const [first, second] = (['to', 'from'] as const).map((within) => {
      const pattern = bestPattern(this.#pathsOf(subject, this.groups.paths(subject.group, within)));
      // Without the paths within, one direction alone is not all of it.
      return pattern?.ways === (within === 'to' ? 'out' : 'in') ? undefined : pattern;
    });
    const best = (second?.gain ?? 0) > (first?.gain ?? 0) ? second : first;
    if (!best || !this.groups.isOfAll(subject.group, best.knownChannels, best.ways))
      return undefined;
    if (this.groups.isCutZone(subject.group, best.channels)) return undefined;
    return this.#cause(subject, best);
  }

  /** Whether enough of a subject's paths have the trouble on some channel for a cause there. */
  #mayBeCause(subject: Subject): boolean {
    const { tally, formerCauses } = this.#options;
    if (pathWeights[tally.trouble].hasUsualShare || subject.type === 'group') return true;
    const least = formerCauses(subject) === undefined ? leastShare : leastKnownShare;
    if (subject.type === 'node') return tally.hasShare(subject.node, least);
    const { to, from } = this.sides(subject);
    return [to, from].some(({ bad, probed }) => hasShare(bad, probed, least));
  }

  /** The same as `sides`, without what is open. It is asked for often of thousands of nodes, and then nothing is made. */
  knownSides(subject: Subject): { readonly to: Side; readonly from: Side } {
    if (subject.type !== 'node') return this.sides(subject);
    const { tally } = this.#options;
    return { to: tally.toNode(subject.node), from: tally.fromNode(subject.node) };
  }

  /** The paths of a subject in both directions, as `Ways` tells them apart. */
  sides(subject: Subject): { readonly to: OpenSide; readonly from: OpenSide } {
    if (subject.type === 'group') return this.groups.sides(subject.group);
    if (subject.type === 'node') return this.#sidesOfNode(subject.node);
    const { to, from = noSide } = this.#pathsOf(subject);
    return { to, from };
  }

  #pathsOf(subject: Subject, part?: ReturnType<GroupPaths['paths']>): SubjectPaths {
    if (subject.type === 'node') return this.#nodePaths(subject);
    const { tally, formerCauses, usual, onsetS } = this.#options;
    return {
      type: subject.type,
      weights: pathWeights[tally.trouble],
      usual,
      known: formerCauses(subject),
      onsetS,
      ...(part ?? this.#partOf(subject)),
    };
  }

  #partOf(subject: Exclude<Subject, { readonly type: 'node' }>) {
    const { cluster, explanation } = this.#options;
    switch (subject.type) {
      case 'cluster':
        return { ...cluster, to: { ...cluster.to, open: explanation.openAll } };
      case 'zones':
      case 'groups':
        return { ...this.cuts.of(subject), subjects: this.#countLike(subject) };
      case 'group':
        return this.groups.paths(subject.group, 'to');
      case 'pair':
        return pairPaths(subject, this.#options);
    }
  }

  /** How many cuts like this one there are. */
  #countLike({ type, other }: Cut): number {
    if (type === 'groups') return this.#groupCuts;
    const { length } = this.#options.tally.index.zones;
    return other === undefined ? length : (length * (length - 1)) / 2;
  }

  #nodePaths(subject: Subject & { readonly type: 'node' }): SubjectPaths {
    const { tally, explanation, formerCauses, usual, onsetS } = this.#options;
    const { node } = subject;
    const { to, from } = this.#sidesOfNode(node);
    return {
      type: 'node',
      weights: pathWeights[tally.trouble],
      subjects: tally.index.size,
      usual,
      known: formerCauses(subject),
      answering: tally.to.answersOf(node),
      answered: tally.from.answersOf(node),
      explainedPaths: (way) => explainedPaths(tally, explanation, tally.entriesOf(node, way)),
      workedMeanwhile: (mask, ways, onsetS) =>
        workedMeanwhile(tally, explanation, tally.entriesOf(node, ways), mask, onsetS),
      beganS: (channel, ways) => tally.beganS(node, channel, ways),
      explained: explanation.explainedAt(node),
      onsetS,
      to,
      from,
    };
  }

  #sidesOfNode(node: number): { readonly to: OpenSide; readonly from: OpenSide } {
    const { tally, explanation } = this.#options;
    return {
      to: opened(tally.toNode(node), explanation.openTo(node)),
      from: opened(tally.fromNode(node), explanation.openFrom(node)),
    };
  }

  #cause(subject: Subject, pattern: Pattern): Cause {
    const { tally } = this.#options;
    const all = this.entriesOf(subject, pattern.ways);
    return causeOf(tally, subject, pattern, withTrouble(all, tally, pattern.knownChannels));
  }

  /** All entries of a subject in a direction, also those about paths that are well. */
  knownEntries(subject: Subject, ways: Ways): Int32Array {
    return subject.type === 'cluster'
      ? allEntries(this.#options.tally)
      : this.entriesOf(subject, ways);
  }

  /** All entries of a subject in a direction; of the cluster those that have the trouble. */
  entriesOf(subject: Subject, ways: Ways): Int32Array {
    const { tally } = this.#options;
    switch (subject.type) {
      case 'cluster':
        return tally.badEntries;
      case 'zones':
      case 'groups':
        return this.cuts.entriesOf(subject, ways);
      case 'group':
        return this.groups.entriesOf(subject.group, ways);
      case 'node':
        return tally.entriesOf(subject.node, ways);
      case 'pair': {
        const both = [
          ways === 'out' ? -1 : tally.entryOf(subject.from, subject.to),
          ways === 'in' ? -1 : tally.entryOf(subject.to, subject.from),
        ];
        return Int32Array.from(both.filter((entry) => entry !== -1));
      }
    }
  }
}

/** Made for thousands of nodes, so without spreads. */
function opened({ bad, well, probed, reported }: Side, open: readonly number[]): OpenSide {
  return { bad, well, probed, reported, open };
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
