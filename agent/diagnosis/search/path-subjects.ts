import type { Cause } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { bothGroups, sidesOf, subjectKey, type Cut, type Subject } from '../nouns/subject.js';
import { isApart } from './cut-apart.js';
import { groupCuts, zoneCuts } from './cut-candidates.js';
import { GroupNodes } from './group-nodes.js';
import { pathsOfSubjects, type PathSubjectOptions } from './paths-of-subjects.js';
import { nodesBeganTogether } from './nodes-began-together.js';
import { bestPattern } from './patterns.js';
import type { Pattern } from './subject-paths.js';
import { causeOf } from './subjects.js';
import { leastShare } from './prior.js';
import { pathWeights } from './weights.js';
import { isEvenAmong, rowsWithMore } from '../evidence/even-among.js';
import { hasShare } from '../evidence/path-counts.js';
import type { Tally } from '../evidence/tally.js';
import { groupMembers } from '../evidence/member-states.js';

/** So many observers must see that large packets are lost for it to be the cluster. */
const leastClusterObservers = 3;

/** The subjects of paths, and what is counted of each. */
export type PathSubjects = ReturnType<typeof pathSubjects>;

/** Finds the best cause at any subject, given what the present explanation leaves open. */
export function pathSubjects(options: PathSubjectOptions) {
  const { tally, pairs, explanation, formerCauses, onsetS } = options;
  const { trouble, index } = tally;
  const weights = pathWeights[trouble];
  const { groups, cuts, sides, pathsOf, entriesOf } = pathsOfSubjects(options);
  const groupNodes = new GroupNodes(tally);
  const hasMoreThanMost = rowsWithMore(tally);
  const evenCuts = new Map<string, boolean>();
  /** What does not change with the explanation; undefined until it is asked for. */
  let subjects: readonly Subject[] | undefined;
  /** The best cause at each node, and how often what is open there had changed by then. */
  const nodeBests: ({ changes: number; cause: Cause | undefined } | undefined)[] = [];
  return {
    groups,
    groupNodes,
    cuts,
    members: groupMembers(tally),

    /** The cluster, zones and pairs of zones, groups and nodes that may be a cause. */
    *all(): Generator<void, readonly Subject[]> {
      if (subjects) return subjects;
      const groupsWithTrouble = yield* groupNodes.candidates();
      const cutsOfGroups = yield* groupCuts(tally, cuts);
      const all: Subject[] = [];
      let nodes = 0;
      for (const subject of withTrouble(groupsWithTrouble, cutsOfGroups)) {
        if ('other' in subject) {
          const isAsked = weights.isProbed && !formerCauses(subject);
          if (isAsked && !cuts.mayHaveShare(subject, leastShare)) continue;
          yield* cuts.count(subject);
        }
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

    worksInReverse({ subject, ways, knownChannels }: Cause): boolean {
      if (ways === 'both') return false;
      const { well } = sides(subject)[ways === 'in' ? 'from' : 'to'];
      return channelsIn(knownChannels).some((channel) => (well[channel] ?? 0) >= 1);
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
    const isOfGroups = subject.type === 'groups';
    if (isOfGroups && !isApart(tally, subject, cuts.entriesOf(subject, ways), knownChannels))
      return undefined;
    if (weights.hasUsualShare) {
      if (subject.type === 'zones' && !isEven(subject, knownChannels)) return undefined;
      const isSent = subject.type === 'node' && ways === 'out';
      if (isSent && !hasMoreThanMost(subject.node, knownChannels)) return undefined;
    }
    // What only the rows of a zone tell may be as well that other zones went off.
    const isOfZone = subject.type === 'zones' && subject.other === undefined;
    if (isOfZone && weights.isProbed && ways === 'out')
      if (!cuts.beganTogether(subject, knownChannels, onsetS)) return undefined;
    if (subject.type === 'zones' && weights.isProbed && paths.known === undefined) {
      if (isShownByNode(subject, knownChannels)) return undefined;
      if (!nodesBeganTogether(tally, subject, knownChannels, ways, entriesOf)) return undefined;
    }
    // Whoever fell silent fails in the other direction too.
    const isSilent = (paths.support ?? 0) > 0;
    return causeAt(subject, isSilent ? { ...pattern, ways: 'both' } : pattern);
  }

  /** Whether each node on one side of a cut has an open finding of its own, on all channels of a mask: a cut opens none for nodes. */
  function isShownByNode(cut: Cut, channels: number): boolean {
    return bothGroups(cut, index).some(
      (side) =>
        side?.members.every((node) =>
          formerCauses({ type: 'node', node })?.some(
            (known) => known.isOpen && (channels & ~known.channels) === 0,
          ),
        ) === true,
    );
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
      bestPattern(pathsOf(subject, within)),
    );
    const best = (second?.gain ?? 0) > (first?.gain ?? 0) ? second : first;
    if (!best || !groupNodes.isOfAll(subject.group, best.knownChannels, best.ways))
      return undefined;
    return groups.isCutZone(subject.group, best.channels) ? undefined : causeAt(subject, best);
  }

  /** Whether enough of a subject's paths have the trouble on some channel for a cause there. */
  function mayBeCause(subject: Subject): boolean {
    if (weights.hasUsualShare || subject.type === 'group' || formerCauses(subject)) return true;
    if (subject.type === 'node') return tally.hasShare(subject.node, leastShare);
    const { to, from } = sides(subject);
    return [to, from].some(({ bad, probed }) => hasShare(bad, probed, leastShare));
  }

  function causeAt(subject: Subject, pattern: Pattern): Cause {
    const entries = withMask(entriesOf(subject, pattern.ways), tally, pattern.knownChannels);
    return causeOf(tally, subject, pattern, entries);
  }
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
