import type { Cause, Ways } from '../nouns/cause.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { sidesOf, subjectKey, type Cut, type Subject } from '../nouns/subject.js';
import { allEntries, type ClusterPaths } from './cluster-paths.js';
import { isApart } from './cut-apart.js';
import { groupCuts, zoneCuts } from './cut-candidates.js';
import { CutPaths } from './cut-paths.js';
import { GroupNodes } from './group-nodes.js';
import { GroupPaths } from './group-paths.js';
import { pairPaths, type PairFacts } from './pair-paths.js';
import { bestPattern } from './patterns.js';
import type { OpenSide, Pattern, SubjectPaths } from './subject-paths.js';
import { causeOf } from './subjects.js';
import { leastKnownShare, leastShare } from './prior.js';
import type { FormerCauses, FormerCausesOf } from './former-causes.js';
import { explainedPaths, workedMeanwhile } from './explained-paths.js';
import { shareAround } from './share-around.js';
import { pathWeights } from './weights.js';
import type { Side } from '../nouns/sight.js';
import { isEvenAmong, rowsWithMore } from '../evidence/even-among.js';
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

/** The subjects of paths, and what is counted of each. */
export type PathSubjects = ReturnType<typeof pathSubjects>;

/** Finds the best cause at any subject, given what the present explanation leaves open. */
export function pathSubjects(options: PathSubjectOptions) {
  const { tally, pairs, cluster, explanation, formerCauses, usual, onsetS } = options;
  const { trouble, index } = tally;
  const weights = pathWeights[trouble];
  const groups = new GroupPaths(tally, explanation);
  const groupNodes = new GroupNodes(tally);
  const cuts = new CutPaths(tally, pairs, explanation);
  const bothWaysS = tally.times.bothWaysS;
  const around = shareAround(tally, explanation);
  const hasMoreThanMost = rowsWithMore(tally);
  const evenCuts = new Map<string, boolean>();
  /** What does not change with the explanation; undefined until it is asked for. */
  let subjects: readonly Subject[] | undefined;
  /** How many pairs of groups of one label there are. */
  let pairsOfGroups = 0;
  /** The best cause at each node, and how often what is open there had changed by then. */
  const nodeBests: ({ changes: number; cause: Cause | undefined } | undefined)[] = [];
  return {
    groups,
    groupNodes,
    cuts,
    members: new GroupMembers(tally),

    /** The cluster, zones and pairs of zones, groups and nodes that may be a cause. */
    *all(): Generator<void, readonly Subject[]> {
      if (subjects) return subjects;
      const groupsWithTrouble = yield* groupNodes.candidates();
      const found = yield* groupCuts(tally, cuts);
      pairsOfGroups = found.of;
      const all: Subject[] = [];
      let nodes = 0;
      for (const subject of withTrouble(groupsWithTrouble, found.cuts)) {
        if ('other' in subject) yield* cuts.count(subject);
        if (mayBeCause(subject)) all.push(subject);
        if (subject.type !== 'node' || ++nodes % 200 === 0) yield;
      }
      return (subjects = all);
    },

    /** The best cause at a subject; undefined if none explains more than it costs. */
    best(subject: Subject): Cause | undefined {
      if (subject.type === 'group') return bestOfGroup(subject);
      if (subject.type !== 'node') return newBest(subject);
      // There may be thousands of nodes, each asked for often.
      const changes = explanation.changesAt(subject.node);
      const last = nodeBests[subject.node];
      if (last?.changes === changes) return last.cause;
      const cause = explanation.hasOpenAt(subject.node) ? newBest(subject) : undefined;
      nodeBests[subject.node] = { changes, cause };
      return cause;
    },

    sides,

    entriesOf,
  };

  function* withTrouble(
    groupsWithTrouble: readonly number[],
    groupCuts: readonly Cut[],
  ): Generator<Subject> {
    // Losses and slowness of the whole cluster are told from what is usual before all else.
    // Mostly few paths were tested for large packets, so what two nodes see says nothing of the others.
    const isManyLosses = trouble === 'mtu' && tally.hasFailingObservers(leastClusterObservers);
    if (trouble === 'broken' || isManyLosses) yield { type: 'cluster' };
    yield* zoneCuts(tally, pairs);
    for (const group of groupsWithTrouble) yield { type: 'group', group };
    yield* groupCuts;
    for (const node of tally.nodes()) yield { type: 'node', node };
  }

  function newBest(subject: Subject): Cause | undefined {
    const paths = pathsOf(subject);
    const pattern = bestPattern(paths);
    if (!pattern) return undefined;
    const { ways, knownChannels } = pattern;
    if (subject.type === 'groups') {
      const entries = cuts.entriesOf(subject, ways);
      if (!isApart(tally, subject, entries, knownChannels)) return undefined;
    }
    if (weights.hasUsualShare) {
      if (subject.type === 'zones' && !isEven(subject, knownChannels)) return undefined;
      const isSent = subject.type === 'node' && ways === 'out';
      if (isSent && !hasMoreThanMost(subject.node, knownChannels)) return undefined;
    }
    // What only the rows of a zone tell may be as well that other zones went off.
    const isOfZone = subject.type === 'zones' && subject.other === undefined;
    if (isOfZone && weights.isProbed && ways === 'out')
      if (!cuts.beganTogether(subject, knownChannels, onsetS)) return undefined;
    // Whoever fell silent fails in the other direction too.
    const isSilent = (paths.support ?? 0) > 0;
    return causeAt(subject, isSilent ? { ...pattern, ways: 'both' } : pattern);
  }

  /** Whether losses or slowness on some channels are spread evenly over the nodes on each side of a cut of zones. */
  function isEven(cut: Cut, channels: number): boolean {
    // There may be thousands of nodes, and zones are asked for often.
    return getOrInsert(evenCuts, `${channels} ${subjectKey(cut)}`, () => {
      const { inner, outer } = sidesOf(cut, index);
      const others =
        cut.other === undefined
          ? index.zones.filter((_, zone) => zone !== cut.group)
          : [outer.group];
      return (
        isEvenAmong(tally, inner.group.members, outer, channels) &&
        others.every(({ members }) => isEvenAmong(tally, members, inner, channels))
      );
    });
  }

  /** The paths within a group go with those to it, or with those from it. */
  function bestOfGroup(subject: Subject & { readonly type: 'group' }): Cause | undefined {
    const [first, second] = (['to', 'from'] as const).map((within) =>
      bestPattern(pathsOf(subject, groups.paths(subject.group, within))),
    );
    const best = (second?.gain ?? 0) > (first?.gain ?? 0) ? second : first;
    if (!best || !groupNodes.isOfAll(subject.group, best.knownChannels, best.ways))
      return undefined;
    return groups.isCutZone(subject.group, best.channels) ? undefined : causeAt(subject, best);
  }

  /** Whether enough of a subject's paths have the trouble on some channel for a cause there. */
  function mayBeCause(subject: Subject): boolean {
    if (weights.hasUsualShare || subject.type === 'group') return true;
    const least = formerCauses(subject) === undefined ? leastShare : leastKnownShare;
    if (subject.type === 'node') return tally.hasShare(subject.node, least);
    const { to, from } = sides(subject);
    return [to, from].some(({ bad, probed }) => hasShare(bad, probed, least));
  }

  /** The paths of a subject in both directions, as `Ways` tells them apart. */
  function sides(subject: Subject): { readonly to: OpenSide; readonly from: OpenSide } {
    if (subject.type === 'group') return groups.sides(subject.group);
    if (subject.type === 'node') return sidesOfNode(subject.node);
    const { to, from } = pathsOf(subject);
    return { to, from };
  }

  function pathsOf(subject: Subject, part?: ReturnType<GroupPaths['paths']>): SubjectPaths {
    const { type } = subject;
    const known = formerCauses(subject);
    if (type === 'node') return nodePaths(subject.node, known);
    const ofPair = type === 'pair' &&
      weights.hasUsualShare && { around: around(subject.from, subject.to) };
    return { type, weights, usual, known, onsetS, ...ofPair, ...(part ?? partOf(subject)) };
  }

  function partOf(subject: Exclude<Subject, { readonly type: 'node' }>) {
    switch (subject.type) {
      case 'cluster':
        return { ...cluster, to: { ...cluster.to, open: explanation.openAll } };
      case 'zones':
      case 'groups':
        return { ...cuts.of(subject), subjects: countLike(subject) };
      case 'group':
        return groups.paths(subject.group, 'to');
      case 'pair':
        return pairPaths(subject, options);
    }
  }

  function countLike({ type, other }: Cut): number {
    if (type === 'groups') return pairsOfGroups;
    const { length } = index.zones;
    return other === undefined ? length : (length * (length - 1)) / 2;
  }

  function nodePaths(node: number, known: FormerCauses | undefined): SubjectPaths {
    const { to, from } = sidesOfNode(node);
    return {
      type: 'node',
      weights,
      subjects: index.size,
      usual,
      known,
      answering: tally.to.answersOf(node),
      answered: tally.from.answersOf(node),
      explainedPaths: (way) => explainedPaths(tally, explanation, tally.entriesOf(node, way)),
      workedMeanwhile: (mask, ways, onsetS) =>
        workedMeanwhile(tally, explanation, tally.entriesOf(node, ways), mask, onsetS),
      beganS: (channel, way) => tally.beganS(node, channel, way),
      explained: explanation.explainedAt(node),
      everywhere: explanation.explainedAt(index.size),
      onsetS,
      bothWaysS,
      to,
      from,
    };
  }

  function sidesOfNode(node: number): { readonly to: OpenSide; readonly from: OpenSide } {
    return {
      to: opened(tally.toNode(node), explanation.openTo(node)),
      from: opened(tally.fromNode(node), explanation.openFrom(node)),
    };
  }

  function causeAt(subject: Subject, pattern: Pattern): Cause {
    const entries = withMask(entriesOf(subject, pattern.ways), tally, pattern.knownChannels);
    return causeOf(tally, subject, pattern, entries);
  }

  /** All entries of a subject in a direction, also those about paths that are well. */
  function entriesOf(subject: Subject, ways: Ways): Int32Array {
    switch (subject.type) {
      case 'cluster':
        return allEntries(tally);
      case 'zones':
      case 'groups':
        return cuts.entriesOf(subject, ways);
      case 'group':
        return groups.entriesOf(subject.group, ways);
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
function withMask(entries: Int32Array, { bad }: Tally, mask: number): Int32Array {
  let count = 0;
  for (const entry of entries) if ((bad[entry] ?? 0) & mask) count++;
  if (count === entries.length) return entries;
  const kept = new Int32Array(count);
  let at = 0;
  for (const entry of entries) if ((bad[entry] ?? 0) & mask) kept[at++] = entry;
  return kept;
}
