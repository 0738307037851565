import { notReached, seenBy } from '../evidence/counts.js';
import {
  beganMsAgo,
  commonFailure,
  refusedMsAgo,
  sampleEntries,
  toEvidence,
} from '../evidence/evidence-paths.js';
import { isSilenceSure } from '../evidence/silence.js';
import { detectS, probedShare } from '../evidence/time-model.js';
import type { Facts } from '../evidence/facts.js';
import { flowsOf } from '../search/flows.js';
import { hearingSince, lateAnswerMs } from '../evidence/hearing.js';
import { lossesOf, packetWaysOf } from '../evidence/large-losses.js';
import type { Cause, Ways } from '../nouns/cause.js';
import { isoTime } from '../nouns/diagnosis-input.js';
import type { SeenBy, Side } from '../nouns/sight.js';
import type { ExplainedTrouble } from '../search/explain-trouble.js';
import { oneFlowPaths } from '../search/one-flow.js';
import { isSure } from './opening.js';
import { channels } from '../../model/channel.js';
import type { Observer } from '../evidence/observations.js';
import { rowChannel, type Tally } from '../evidence/tally.js';
import { tracersOf } from '../evidence/tracers.js';
import { areEchoesTelling, mayBeServers, withoutEchoes } from './about-servers.js';
import { isUnansweredSince } from '../evidence/unanswered.js';

/** The word of a single observer is not enough to call a node alive, where others look too. */
const leastHearing = 2;
/** A node that dies loses probes too, before its paths have failed for all. */
const oneFlowMs = 10_000;

/**
 * A cause of failing, lossy or slow paths with all that its finding is named and written from. What takes time to count is
 * counted when it is asked for: of many causes that become one finding, one is.
 */
export type PathSight = ReturnType<typeof sightOf>;

/** Looks at a cause for what its finding is named and written from. */
export function sightOf(
  found: Cause,
  facts: Facts,
  { tally, explanation, subjects, larger }: ExplainedTrouble,
) {
  const isLarge = found.trouble === 'mtu';
  const losses = isLarge ? lossesOf(found, tally) : [];
  const foundPackets = isLarge ? packetWaysOf(found, tally, losses) : undefined;
  const whole = turned(found, foundPackets?.ways ?? found.ways);
  const isShared = (entry: number, channel: number) => explanation.isShared(entry, channel);
  const flows = flowsOf(found, tally, isShared);
  const { input, index, observations, localNode } = facts;
  const sample = sampleEntries(whole, tally, localNode);
  const began = beganMsAgo(whole, tally, sample, isShared);
  const countSeen = (of: Cause) =>
    seenBy(of, tally, () => subjects.knownEntries(of.subject, of.ways), began / 1000 + detectS);
  const node = whole.subject.type === 'node' ? whole.subject.node : -1;
  const own = observations.observers[observations.observerOf[node] ?? -1];
  const hearing = node === -1 ? 0 : hearingSince(facts, node, began);
  const isHeard = hearing >= leastHearing || (hearing > 0 && hearing >= countSeen(whole).of);
  const isObserver = own !== undefined && 1000 * own.ageS < began - lateAnswerMs;
  const lives = isHeard || isObserver;
  const { to, from } = subjects.sides(whole.subject);
  const isAboutServers =
    mayBeServers(whole, lives || node === localNode) && !areEchoesTelling(whole, to, larger, index);
  const cause = isAboutServers ? withoutEchoes(whole) : whole;
  let counted: SeenBy | undefined;
  const seen = () => (counted ??= countSeen(cause));
  const { groups } = subjects;
  const { knownChannels, ways } = cause;
  const group = cause.subject.type === 'group' ? cause.subject.group : -1;
  return {
    input,
    localNode,
    /** The cause as it was found: its finding has the id of these channels, however it is told. */
    found: whole,
    /**
     * The cause as it is told. Its subject is turned: the first of two is the one whose probes fail, or whose large packets are
     * lost. Where it is about servers alone, it has no echoes.
     */
    cause,
    /** Nobody knows whether its node answers echoes, so only servers are known to fail. */
    isAboutServers,
    /** The paths of the subject, in both directions. */
    to,
    from,
    /** The node's own row counts, and was confirmed since. */
    isObserver,
    /** The node has run since its trouble began: enough others got its GETs, or its row counts. */
    lives,
    /** At least one observer heard its own GETs since. */
    isHeardAtAll: hearing > 0,
    /** Whether enough GETs of its node would have been heard by now if it still sent any. */
    isSilenceSure: () =>
      node === -1 || isSilenceSure(facts, tally, { node, beganMs: began, hearing }),
    /** Each observer sends a GET on each of its paths once in this time. */
    sweepMs: 1000 * (tally.times.alone[rowChannel]?.sweepS ?? 0),
    /**
     * Of a cause that is about what a node sends, which its own row alone tells: the channels that fail, but on which the node
     * has not probed all of its paths since, as a mask.
     */
    halfProbed: () => (own ? halfProbed(cause, from, own, began / 1000, tally) : 0),
    /** Of a broken cause: whether looks that are still to come can make no other one of it. */
    isSure: () =>
      isSure({
        cause: whole,
        subjects,
        index,
        observations,
        seen: seen(),
        unanswered: own && cause.ways === 'out' ? unansweredIn(own, began / 1000) : 0,
      }),
    /** How many milliseconds ago the trouble began. */
    beganMsAgo: began,
    /** For how many milliseconds two observers at least, or the only one, have been refused. */
    refusedMsAgo: () => refusedMsAgo(cause, tally, isShared),
    /** Of large packets: what the witnesses say, and which way the packets went. */
    losses: losses.map(({ loss }) => loss),
    packets: foundPackets && packetWaysOf(cause, tally, losses),
    /** Of losses: the flows that never pass, and the failing paths that they explain too. */
    flows,
    oneFlow:
      found.trouble === 'lossy' && began >= oneFlowMs
        ? oneFlowPaths(found, flows, tally, subjects)
        : [],
    /** The observers that see it, the node itself too. */
    seen,
    /** How many other nodes the subject does not reach, and how many it looks at. */
    notReached: () => notReached(cause, tally),
    /** Of a group: how many of its nodes have the trouble, and of how many it is known. */
    within: () => groups.within(group, knownChannels, ways),
    /** Of a group: how many of the other nodes have the same trouble, and of how many it is known. */
    beside: () => groups.beside(group, knownChannels, ways),
    /** Of a group: whether its nodes reach each other, though others do not reach them, or they do not reach others. */
    reachesItself: () => group !== -1 && groups.reachesItself(group, knownChannels),
    /** The failure that most paths share; undefined if there is no majority. */
    failure: () => commonFailure(cause, tally, sample),
    /** An observer that fails, and the node that it fails to reach: commands use both. */
    ends: () => endsOf(cause, facts, tally, sample),
    /**
     * Some of its paths, those of the local node first.
     * @param most left out, as many as a finding shows
     */
    evidence: (most?: number) =>
      toEvidence(cause, tally, sample.slice(0, most), {
        nameOf: (number) => index.nodes[number]?.name ?? '',
        timeOf: (ageMs) => isoTime(input, input.now - ageMs),
      }).slice(0, most),
    /** The observers that trace a path of the finding with this id. */
    tracers: (id: string) => tracersOf(id, cause, tally, index),
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
  if (subject.type === 'groups') {
    const { group, other } = subject;
    return { ...cause, subject: { type: 'groups', group: other, other: group }, ways };
  }
  if (subject.type !== 'zones' || subject.other === undefined) return cause;
  const { zone, other } = subject;
  return { ...cause, subject: { type: 'zones', zone: other, other: zone }, ways };
}

/**
 * The channels on which a node can have left out some of its paths since a cause began that is about what it sends: those
 * that it breaks, and those on which other paths of the node fail too.
 */
function halfProbed(
  { ways, knownChannels }: Cause,
  { reported, bad }: Side,
  own: Observer,
  beganS: number,
  { times }: Tally,
): number {
  if (ways !== 'out') return 0;
  return times.alone.reduce((half, time, channel) => {
    const mayGrow = (knownChannels >> channel) & 1 || (bad[channel] ?? 0) > 0;
    const isReported = (reported[channel] ?? 0) > 0;
    if (!mayGrow || !isReported || isUnansweredSince(own, channel, beganS)) return half;
    if (probedShare(beganS + detectS, own.ageS, time) === 1) return half;
    return half | (1 << channel);
  }, 0);
}

/** The channels on which no probe of a node was answered since a time, as a mask. */
function unansweredIn(own: Observer, sinceS: number): number {
  return channels.reduce(
    (mask, _, channel) => (isUnansweredSince(own, channel, sinceS) ? mask | (1 << channel) : mask),
    0,
  );
}

/** An observer that fails, and the node that it fails to reach. */
function endsOf({ subject }: Cause, { index }: Facts, tally: Tally, [first = -1]: number[]) {
  if (subject.type === 'pair') {
    return { from: index.nodes[subject.from], to: index.nodes[subject.to] };
  }
  const { from, to } = tally.observations.entries;
  return { from: index.nodes[from[first] ?? -1], to: index.nodes[to[first] ?? -1] };
}
