import type { GroupPairs } from '../evidence/group-pairs.js';
import { singleWays, type Ways } from '../nouns/cause.js';
import type { Side } from '../nouns/sight.js';
import type { Subject } from '../nouns/subject.js';
import { allEntries, type ClusterPaths } from './cluster-paths.js';
import { countGroupPairs } from './cut-candidates.js';
import { CutPaths } from './cut-paths.js';
import { explainedPaths, workedMeanwhile } from './explained-paths.js';
import type { FormerCausesOf } from './former-causes.js';
import { GroupPaths } from './group-paths.js';
import { pairPaths, type PairFacts } from './pair-paths.js';
import { shareAround } from './share-around.js';
import type { OpenSide, SubjectPaths } from './subject-paths.js';
import type { pastCauses } from './past-causes.js';
import { pathWeights } from './weights.js';

/** Which subjects are looked at, and what is known of them from outside. */
export interface PathSubjectOptions extends PairFacts {
  readonly pairs: GroupPairs;
  readonly cluster: ClusterPaths;
  /** The channels of a subject's causes in the last run; undefined if it had none. */
  readonly formerCauses: FormerCausesOf;
  /** What was told lately of a node; undefined if nothing was. */
  readonly pastCauses?: ReturnType<typeof pastCauses> | undefined;
  /** For lossy and slow paths: the usual share by channel. */
  readonly usual: readonly number[];
  /** Channels of one cause begin to fail within this time, in seconds. */
  readonly onsetS: number;
}

/** The paths of any subject: how many there are, and what the present explanation leaves open of them. */
export function pathsOfSubjects(options: PathSubjectOptions) {
  const { tally, pairs, cluster, explanation, formerCauses, usual, onsetS } = options;
  const { index } = tally;
  const weights = pathWeights[tally.trouble];
  const groups = new GroupPaths(tally, explanation);
  const cuts = new CutPaths(tally, pairs, explanation);
  const pairsOfGroups = countGroupPairs(tally);
  const { bothWaysS } = tally.times;
  const around = shareAround(tally, explanation);
  return { groups, cuts, sides, pathsOf, entriesOf };

  /** The paths of a subject in both directions, as `Ways` tells them apart. */
  function sides(subject: Subject): { readonly to: OpenSide; readonly from: OpenSide } {
    if (subject.type === 'group') return groups.sides(subject.group);
    if (subject.type === 'node') return sidesOfNode(subject.node);
    const { to, from } = pathsOf(subject);
    return { to, from };
  }

  /** @param within of a group: in which direction the paths count that are within it */
  function pathsOf(subject: Subject, within: 'to' | 'from' = 'to'): SubjectPaths {
    const { type } = subject;
    if (type === 'node') return nodePaths(subject);
    const known = formerCauses(subject);
    return { type, weights, usual, known, ...partOf(subject, within) };
  }

  function partOf(subject: Exclude<Subject, { readonly type: 'node' }>, within: 'to' | 'from') {
    switch (subject.type) {
      case 'cluster':
        return { ...cluster, to: { ...cluster.to, open: explanation.openAll } };
      case 'zones': {
        const { length } = index.zones;
        const subjects = subject.other === undefined ? length : (length * (length - 1)) / 2;
        return { ...cuts.of(subject), subjects };
      }
      case 'groups':
        return { ...cuts.of(subject), subjects: pairsOfGroups };
      case 'group':
        return { ...groups.paths(subject.group, within), workedMeanwhile: workedOf(subject) };
      case 'pair': {
        const others = weights.hasUsualShare && { around: around(subject.from, subject.to) };
        return { ...pairPaths(subject, options), ...others };
      }
    }
  }

  function nodePaths(subject: Subject & { readonly type: 'node' }): SubjectPaths {
    const { node } = subject;
    const { to, from } = sidesOfNode(node);
    const answering = tally.to.answersOf(node);
    const beganS = (channel: number, way: 'in' | 'out') => tally.beganS(node, channel, way);
    return {
      type: 'node',
      weights,
      subjects: index.size,
      usual,
      known: formerCauses(subject),
      answering,
      answered: tally.from.answersOf(node),
      explainedPaths: (way) => explainedPaths(tally, explanation, tally.entriesOf(node, way)),
      workedMeanwhile: workedOf(subject),
      beganS,
      pastCauses: options.pastCauses?.(node, { to, from }, answering, beganS),
      explained: explanation.explainedAt(node),
      everywhere: explanation.explainedAt(index.size),
      onsetS,
      bothWaysS,
      to,
      from,
    };
  }

  function workedOf(subject: Subject) {
    return (mask: number, ways: Ways) =>
      workedMeanwhile(tally, explanation, entriesOf(subject, ways), mask, onsetS);
  }

  function sidesOfNode(node: number): { readonly to: OpenSide; readonly from: OpenSide } {
    return {
      to: opened(tally.toNode(node), explanation.openTo(node)),
      from: opened(tally.fromNode(node), explanation.openFrom(node)),
    };
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
        const { from, to } = subject;
        const entries = singleWays[ways].map((way) =>
          way === 'in' ? tally.entryOf(from, to) : tally.entryOf(to, from),
        );
        return Int32Array.from(entries.filter((entry) => entry !== -1));
      }
    }
  }
}

/** Made for thousands of nodes, so without spreads. */
function opened({ bad, well, probed, reported }: Side, open: readonly number[]): OpenSide {
  return { bad, well, probed, reported, open };
}
