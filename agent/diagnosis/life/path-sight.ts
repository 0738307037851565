import { notReached, seenBy } from '../evidence/counts.js';
import {
  beganMsAgo,
  commonFailure,
  refusalsOf,
  sampleEntries,
  toEvidence,
  tracersOf,
} from '../evidence/evidence-paths.js';
import { isSilenceSure } from '../evidence/silence.js';
import { detectS, misfitOf, mostMisfit, probedShare } from '../evidence/time-model.js';
import { observerAt, type Facts } from '../evidence/observations.js';
import { flowsOf } from '../search/flows.js';
import { hearingSince, lateAnswerMs } from '../evidence/hearing.js';
import { lossesOf, packetWaysOf } from '../evidence/large-losses.js';
import { channelsOf, type Cause, type Ways } from '../nouns/cause.js';
import { httpMask, maskWhere } from '../nouns/channel-mask.js';
import type { FindingEvidence } from '../nouns/finding.js';
import type { SeenBy } from '../nouns/sight.js';
import type { ExplainedTrouble } from '../search/explain-trouble.js';
import { oneFlowPaths } from '../search/one-flow.js';
import { isSure } from './opening.js';
import { timesOf } from '../evidence/paths-of.js';
import { areEchoesTelling, mayBeServers, onChannels } from './about-servers.js';
import { isUnansweredSince } from '../evidence/unanswered.js';

/** The word of a single observer is not enough to call a node alive, where others look too. */
const leastHearing = 2;
/** A node that dies loses probes too, before its paths have failed for all. */
const oneFlowMs = 10_000;

/** A cause of failing, lossy or slow paths with all that its finding is named and written from. */
export type PathSight = ReturnType<typeof pathSightOf>;

/**
 * Looks at a cause of paths for what its finding is named and written from. There may be thousands, so what takes time to
 * count is counted when it is asked for: of many causes that become one finding, one is.
 */
export function pathSightOf(cause: Cause, facts: Facts, explained: ExplainedTrouble) {
  const { input, index, localNode, observations } = facts;
  const { tally, explanation, subjects, larger } = explained;
  const isLarge = cause.trouble === 'mtu';
  const losses = isLarge ? lossesOf(cause, tally) : [];
  const foundPackets = isLarge ? packetWaysOf(cause, tally, losses) : undefined;
  const found = turned(cause, foundPackets?.ways ?? cause.ways);
  const { subject, ways } = found;
  const sample = sampleEntries(found, tally, localNode);
  const agoMs = beganMsAgo(found, tally, sample, explanation);
  const beganS = agoMs / 1000;
  const node = subject.type === 'node' ? subject.node : -1;
  const group = subject.type === 'group' ? subject.group : -1;
  /** The row of its node. */
  const own = observerAt(observations, node);
  /** How many observers heard its node since. */
  const hearing = node === -1 ? 0 : hearingSince(facts, node, found, agoMs, explanation);
  const countSeen = (one: Cause): SeenBy => {
    const entriesOf = () => subjects.knownEntries(subject, ways);
    return seenBy(one, tally, entriesOf, beganS + detectS);
  };
  const isHeard = hearing >= leastHearing || (hearing > 0 && hearing >= countSeen(found).of);
  const isObserver = own !== undefined && 1000 * own.ageS < agoMs - lateAnswerMs;
  const lives = isHeard || isObserver;
  const sides = subjects.knownSides(subject);
  const isAboutServers =
    mayBeServers(found, lives || node === localNode) &&
    !areEchoesTelling(found, sides.to, larger, index);
  const told = isAboutServers ? onChannels(found, httpMask, tally) : found;
  const { channels, knownChannels } = told;
  /** Of what fails for the whole cluster too nobody sees that it fails here. */
  const ofItsOwn = (): Cause => {
    const everywhere = channelsOf(larger.filter((one) => one.subject.type === 'cluster'));
    const mask = knownChannels & ~everywhere;
    const isHidden = subject.type !== 'cluster' && mask !== knownChannels && mask !== 0;
    return isHidden ? onChannels(told, mask, tally) : told;
  };
  const flows = flowsOf(cause, tally, explanation);
  const probeTimes = () => timesOf(subject, ways, channels, beganS + detectS, tally);
  let counted: SeenBy | undefined;
  const seen = (): SeenBy => (counted ??= countSeen(ofItsOwn()));
  return {
    input,
    localNode,
    /** The cause as it was found: its finding has the id of these channels, however it is told. */
    found,
    /**
     * The cause as it is told. Its subject is turned: the first of two is the one whose probes fail, or whose large packets are
     * lost. Where it is about servers alone, it has no echoes.
     */
    cause: told,
    /** Nobody knows whether its node answers echoes, so only servers are known to fail. */
    isAboutServers,
    /** The node's own row counts, and was confirmed since. */
    isObserver,
    /** The node has run since its trouble began: enough others got its GETs, or its row counts. */
    lives,
    /** How many milliseconds ago the trouble began. */
    beganMsAgo: agoMs,
    /** Of large packets: what the witnesses say, and which way the packets went. */
    losses: losses.map(({ loss }) => loss),
    packets: foundPackets && packetWaysOf(told, tally, losses),
    /** Of losses: the flows that never pass, and the failing paths that they explain too. */
    flows,
    oneFlow:
      cause.trouble === 'lossy' && agoMs >= oneFlowMs
        ? oneFlowPaths(cause, flows, tally, subjects)
        : [],
    /** At least one observer heard its own GETs since. */
    isHeardAtAll: hearing > 0,
    /** Each observer sends a GET on each of its paths once in this time. */
    sweepMs: tally.sweepMs,
    sides,

    /** Where much else fails, the probes that confirm its paths wait for their turn for so long. */
    confirmMs: () => 1000 * Math.max(...probeTimes().map(({ confirmS }) => confirmS)),

    /** By how much longer it takes until all know that its paths work again than that they fail. */
    lateRecoveryMs() {
      const lateS = probeTimes().map(({ recoveredS, hintedS }) => recoveredS - hintedS);
      return 1000 * Math.max(...lateS);
    },

    /** Whether enough GETs of its node would have been heard by now if it still sent any. */
    isSilenceSure: () => node === -1 || isSilenceSure(facts, tally, node, agoMs, hearing),

    /**
     * Of a cause that is about what a node sends, which its own row alone tells: the channels that fail, but on which the node
     * has not probed all of its paths since, as a mask.
     */
    halfProbed(): number {
      if (!own || ways !== 'out') return 0;
      const { reported, bad } = sides.from;
      return maskWhere((channel) => {
        // It may break channels too on which other paths of the node fail.
        const mayGrow = (knownChannels >> channel) & 1 || (bad[channel] ?? 0) > 0;
        const isReported = (reported[channel] ?? 0) > 0;
        const time = tally.times.alone[channel];
        if (!mayGrow || !isReported || !time || isUnansweredSince(own, channel, beganS))
          return false;
        return probedShare(beganS + detectS, own.ageS, time) !== 1;
      });
    },

    /**
     * Of a cause that is about what reaches a node: how many of the node's own paths on a channel work since that began. What
     * else fails on some of them may have begun later.
     */
    workingFrom(channel: number): number {
      const time = tally.times.alone[channel];
      if (!own || !time || ways !== 'in') return 0;
      const { reported, bad } = sides.from;
      const share = probedShare(beganS + detectS, own.ageS, time);
      const others = Math.max((reported[channel] ?? 0) - (bad[channel] ?? 0), 0);
      return (others * misfitOf(share)) / mostMisfit;
    },

    /** Of a broken cause: whether looks that are still to come can make no other one of it. */
    isSure(): boolean {
      const unanswered = maskWhere(
        (channel) => ways !== 'in' && own !== undefined && isUnansweredSince(own, channel, beganS),
      );
      return isSure(found, explained, seen(), unanswered);
    },

    refusals: () => refusalsOf(told, tally, explanation),

    /** The observers that see it, the node itself too. */
    seen,

    /** How many other nodes the subject does not reach, and how many it looks at. */
    notReached: () => notReached(told, tally, beganS),

    /** Of a group: how many of its nodes have the trouble, and of how many it is known. */
    within: () => subjects.groups.within(group, knownChannels, ways),

    /** Of a group: how many of the other nodes have the same trouble, and of how many it is known. */
    beside: () => subjects.groups.beside(group, knownChannels, ways),

    /** Of a group: whether its nodes reach each other, though others do not reach them, or they do not reach others. */
    reachesItself: () => group !== -1 && subjects.groups.reachesItself(group, knownChannels),

    /** The failure that most paths share; undefined if there is no majority. */
    failure: () => commonFailure(told, tally, sample),

    /** An observer that fails, and the node that it fails to reach: commands use both. */
    ends() {
      const { nodes } = index;
      if (subject.type === 'pair') return { from: nodes[subject.from], to: nodes[subject.to] };
      const [first = -1] = sample;
      const { from, to } = tally.observations.entries;
      return { from: nodes[from[first] ?? -1], to: nodes[to[first] ?? -1] };
    },

    /**
     * Some of its paths, those of the local node first.
     * @param most left out, as many as a finding shows
     */
    evidence: (most?: number): FindingEvidence[] =>
      toEvidence(told, tally, sample.slice(0, most), input).slice(0, most),

    tracers: (id: string): readonly string[] => tracersOf(id, told, tally),
  };
}

/** The first of two nodes or zones is the one whose probes fail, or whose large packets are lost. */
function turned(cause: Cause, lost: Ways): Cause {
  const { subject } = cause;
  if (lost !== 'out') return cause;
  const ways = cause.ways === 'both' ? 'both' : cause.ways === 'in' ? 'out' : 'in';
  if (subject.type === 'pair') {
    return { ...cause, subject: { type: 'pair', from: subject.to, to: subject.from }, ways };
  }
  if (!('other' in subject) || subject.other === undefined) return cause;
  const { type, group, other } = subject;
  return { ...cause, subject: { type, group: other, other: group }, ways };
}
