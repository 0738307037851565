import { notReached, seenBy } from '../evidence/counts.js';
import {
  beganMsAgo,
  commonFailure,
  refusalsOf,
  sampleEntries,
  toEvidence,
} from '../evidence/evidence-paths.js';
import { detectS } from '../evidence/time-model.js';
import { observerAt, type Facts } from '../evidence/observations.js';
import { flowsOf } from '../search/flows.js';
import { lossesOf, packetWaysOf } from '../evidence/large-packets.js';
import { channelsOfAll, onChannels, turned, type Cause } from '../nouns/cause.js';
import { httpMask, maskWhere } from '../nouns/channel-mask.js';
import type { SeenBy } from '../nouns/sight.js';
import type { ExplainedTrouble } from '../search/explain-trouble.js';
import { oneFlowPaths } from '../search/one-flow.js';
import { signsOfLife } from './signs-of-life.js';
import { mayBeOneWithOthers } from './one-with-others.js';
import { isSure as isSureCause } from './opening.js';
import { timesOf } from '../evidence/paths-of.js';
import { areEchoesTelling, mayBeServers } from './about-servers.js';
import { isUnansweredSince } from '../evidence/unanswered.js';

/** A node that dies loses probes too, before its paths have failed for all. */
const oneFlowMs = 10_000;

/** A cause of failing, lossy or slow paths with all that its finding is named and written from. */
export type PathSight = ReturnType<typeof pathSightOf>;

/**
 * What the finding of a cause of paths is named and written from. There may be thousands, so what takes time to count is counted when
 * it is asked for: of many causes that become one finding, one is.
 */
export function pathSightOf(given: Cause, facts: Facts, explained: ExplainedTrouble) {
  const { input, index, localNode } = facts;
  const { tally, explanation, subjects, larger } = explained;
  const isLarge = given.trouble === 'mtu';
  const allLosses = isLarge ? lossesOf(given, tally) : [];
  const foundPackets = isLarge ? packetWaysOf(given, tally, allLosses) : undefined;
  const found = (foundPackets?.ways ?? given.ways) === 'out' ? turned(given) : given;
  const { subject } = found;
  const sides = subjects.sides(subject);
  const flows = flowsOf(given, tally, explanation);
  const sample = sampleEntries(found, tally, localNode);
  const beganMs = beganMsAgo(found, tally, sample, explanation);
  const node = subject.type === 'node' ? subject.node : -1;
  const own = observerAt(facts.observations, node);
  const life = signsOfLife(found, facts, explained, beganMs, () => countSeen(found));
  const isAboutServers =
    mayBeServers(found, life.lives || node === localNode) &&
    !areEchoesTelling(found, sides.to, larger, index);
  const cause = isAboutServers ? onChannels(found, httpMask, tally.bad) : found;
  const hasOneFlow = given.trouble === 'lossy' && beganMs >= oneFlowMs;
  let counted: SeenBy | undefined;
  const seen = (): SeenBy => (counted ??= countSeen(ofItsOwn()));
  return {
    input,
    localNode,
    facts,
    explained,
    /** Of a cause at one node: its number; -1 for another one. */
    node,
    /** What that node tells itself; undefined without its row. */
    own,
    /** The cause as it was found: its finding has the id of these channels, however it is told. */
    found,
    /**
     * The cause as it is told. Its subject is turned: the first of two is the one whose probes fail, or whose large packets are
     * lost. Where it is about servers alone, it has no echoes.
     */
    cause,
    /** Nobody knows whether its node answers echoes, so only servers are known to fail. */
    isAboutServers,
    life,
    beganMsAgo: beganMs,
    sides,
    /** Of large packets: what the witnesses say, and which way the packets went. */
    losses: allLosses.map(({ loss }) => loss),
    packets: foundPackets && packetWaysOf(cause, tally, allLosses),
    /** Of losses: the flows that never pass, and the failing paths that they explain too. */
    flows,
    oneFlow: hasOneFlow ? oneFlowPaths(given, flows, tally, subjects) : [],

    /** Where much else fails, the probes that confirm its paths wait for their turn for so long. */
    get confirmMs(): number {
      return 1000 * Math.max(...probeTimes().map(({ confirmS }) => confirmS));
    },

    /** By how much longer it takes until all know that its paths work again than that they fail. */
    get lateRecoveryMs(): number {
      return 1000 * Math.max(...probeTimes().map((time) => time.recoveredS - time.hintedS));
    },

    isSure,

    refusals: () => refusalsOf(cause, tally, explanation),

    /** The observers that see it, the node itself too. */
    seen,

    notReached: () => notReached(cause, tally, beganMs / 1000),

    /** Of a group: whether its nodes reach each other, though others do not reach them, or they do not reach others. */
    reachesItself: () =>
      cause.subject.type === 'group' &&
      subjects.groups.reachesItself(cause.subject.group, cause.knownChannels),

    failure: () => commonFailure(cause, tally, sample),

    ends,

    /** Some of its paths, those of the local node first; as many as a finding shows, or fewer. */
    evidence: (most?: number) =>
      toEvidence(cause, tally, sample.slice(0, most), input).slice(0, most),
  };

  /** Of a broken cause: whether looks that are still to come can make no other one of it. */
  function isSure(): boolean {
    if (mayBeOneWithOthers(found, explained, input, life.isHeard)) return false;
    const unanswered = maskWhere(
      (channel) =>
        cause.ways !== 'in' && own !== undefined && isUnansweredSince(own, channel, beganMs / 1000),
    );
    return isSureCause(found, explained, seen(), unanswered);
  }

  /** An observer that fails, and the node that it fails to reach: commands use both. */
  function ends() {
    const { nodes } = index;
    if (subject.type === 'pair') return { from: nodes[subject.from], to: nodes[subject.to] };
    const [first = -1] = sample;
    const { from, to } = tally.observations.entries;
    return { from: nodes[from[first] ?? -1], to: nodes[to[first] ?? -1] };
  }

  function probeTimes() {
    const { subject: whole, ways, channels } = cause;
    return timesOf(whole, ways, channels, beganMs / 1000 + detectS, tally);
  }

  /** Of what fails for the whole cluster too nobody sees that it fails here. */
  function ofItsOwn(): Cause {
    const mask = cause.knownChannels & ~channelsOfAll(larger);
    return mask === 0 ? cause : onChannels(cause, mask, tally.bad);
  }

  function countSeen(seenCause: Cause): SeenBy {
    const entriesOf = () => subjects.entriesOf(seenCause.subject, seenCause.ways);
    return seenBy(seenCause, tally, entriesOf, beganMs / 1000 + detectS);
  }
}
