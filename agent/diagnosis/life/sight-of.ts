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
import type { Ends, PathSight, SeenBy, Side } from '../nouns/sight.js';
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

/** Looks at a cause for what its finding is named and written from. */
export function sightOf(
  found: Cause,
  facts: Facts,
  { tally, explanation, subjects, larger }: ExplainedTrouble,
): PathSight {
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
    found: whole,
    cause,
    isAboutServers,
    to,
    from,
    isObserver,
    lives,
    isHeardAtAll: hearing > 0,
    isSilenceSure: () =>
      node === -1 || isSilenceSure(facts, tally, { node, beganMs: began, hearing }),
    sweepMs: 1000 * (tally.times.alone[rowChannel]?.sweepS ?? 0),
    halfProbed: () => (own ? halfProbed(cause, from, own, began / 1000, tally) : 0),
    isSure: () =>
      isSure({
        cause: whole,
        subjects,
        index,
        observations,
        seen: seen(),
        unanswered: own && cause.ways === 'out' ? unansweredIn(own, began / 1000) : 0,
      }),
    beganMsAgo: began,
    refusedMsAgo: () => refusedMsAgo(cause, tally, isShared),
    losses: losses.map(({ loss }) => loss),
    packets: foundPackets && packetWaysOf(cause, tally, losses),
    flows,
    oneFlow:
      found.trouble === 'lossy' && began >= oneFlowMs
        ? oneFlowPaths(found, flows, tally, subjects)
        : [],
    seen,
    notReached: () => notReached(cause, tally),
    within: () => groups.within(group, knownChannels, ways),
    beside: () => groups.beside(group, knownChannels, ways),
    reachesItself: () => group !== -1 && groups.reachesItself(group, knownChannels),
    failure: () => commonFailure(cause, tally, sample),
    ends: () => endsOf(cause, facts, tally, sample),
    evidence: (most) =>
      toEvidence(cause, tally, sample.slice(0, most), {
        nameOf: (number) => index.nodes[number]?.name ?? '',
        timeOf: (ageMs) => isoTime(input, input.now - ageMs),
      }).slice(0, most),
    tracers: (id) => tracersOf(id, cause, tally, index),
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
function endsOf({ subject }: Cause, { index }: Facts, tally: Tally, [first = -1]: number[]): Ends {
  if (subject.type === 'pair') {
    return { from: index.nodes[subject.from], to: index.nodes[subject.to] };
  }
  const { from, to } = tally.observations.entries;
  return { from: index.nodes[from[first] ?? -1], to: index.nodes[to[first] ?? -1] };
}
