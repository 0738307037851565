import { mostCommon } from '../nouns/most-common.js';
import { ageOfOldestTenth, beginS } from './begin.js';
import { channelsIn } from '../nouns/channel-mask.js';
import { channels } from '../../model/channel.js';
import type { FailureKind } from '../../model/failure.js';
import type { Cause, Trouble } from '../nouns/cause.js';
import { failureCodes } from './entry-list.js';
import { isoTime, type DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { FindingEvidence } from '../nouns/finding.js';
import { failureWords } from '../nouns/failure-words.js';
import type { Tally } from './tally.js';
import { allProbedS, clockErrorS, detectRefusedS, detectS, type ProbeTime } from './time-model.js';
import { timesOf } from './paths-of.js';
import { nameHash } from '../../model/name-hash.js';

/** So many failing paths stand beside a finding. */
const most = 10;
/** Looking up a path in a row takes time, and this many paths represent all. */
const sampleSize = 20;

/** Tells whether more than one cause covers a path. */
export interface SharedPaths {
  readonly isShared: (entry: number, channel: number) => boolean;
}

/** Some of the entries of a cause: those of the local node first, the rest spread over all. */
export function sampleEntries({ entries }: Cause, tally: Tally, localNode: number): number[] {
  const { from } = tally.observations.entries;
  const step = Math.max(1, Math.floor(entries.length / sampleSize));
  const [own, others]: [number[], number[]] = [[], []];
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] ?? 0;
    if (from[entry] === localNode) own.push(entry);
    else if (at % step === 0) others.push(entry);
  }
  return [...own, ...others].slice(0, sampleSize);
}

/** The paths of some entries that a cause explains, each with its place among those of its entry. */
function pathsOf({ knownChannels }: Cause, { bad }: Tally, sample: readonly number[]) {
  const paths: { readonly entry: number; readonly channel: number; readonly nth: number }[] = [];
  // In a large outage there are thousands of causes, so without iterators.
  for (const entry of sample) {
    let nth = 0;
    for (const channel of channelsIn((bad[entry] ?? 0) & knownChannels))
      paths.push({ entry, channel, nth: nth++ });
  }
  return paths;
}

/** Up to ten paths in the form of a finding's evidence: one path of each entry before a second one. */
export function toEvidence(
  cause: Cause,
  tally: Tally,
  sample: readonly number[],
  input: Pick<DiagnosisInput, 'now' | 'wallOffsetMs'>,
): FindingEvidence[] {
  const { from, to } = tally.observations.entries;
  const { nodes } = tally.index;
  const paths = pathsOf(cause, tally, sample).sort((a, b) => a.nth - b.nth);
  return paths.slice(0, most).flatMap(({ entry, channel }) => {
    const said = channels[channel] && {
      from: nodes[from[entry] ?? 0]?.name ?? '',
      to: nodes[to[entry] ?? 0]?.name ?? '',
      ...channels[channel],
      failure: evidenceWords(cause.trouble, failureOf(tally, entry, channel)),
      since: isoTime(input, input.now - 1000 * tally.ageS(entry, channel)),
    };
    return said ?? [];
  });
}

function failureOf(tally: Tally, entry: number, channel: number): FailureKind | undefined {
  return failureCodes[tally.observations.entries.failureCode(entry, channel)];
}

const degradedWords = { lossy: 'loses probes', slow: 'answers late', mtu: 'loses large packets' };

function evidenceWords(trouble: Trouble, failure: FailureKind | undefined): string {
  if (trouble !== 'broken') return degradedWords[trouble];
  return failure === undefined ? 'no answer' : failureWords(failure);
}

/** The same without those that another cause explains too, unless all are such: how these fail says nothing of this cause. */
function ownPathsOf(
  cause: Cause,
  tally: Tally,
  sample: readonly number[],
  explanation: SharedPaths,
) {
  const all = pathsOf(cause, tally, sample);
  const own = all.filter(({ entry, channel }) => !explanation.isShared(entry, channel));
  return own.length > 0 ? own : all;
}

/** The failure that most of its own paths share; undefined if there is no majority. */
export function commonFailure(
  cause: Cause,
  tally: Tally,
  sample: readonly number[],
  explanation: SharedPaths,
): FailureKind | undefined {
  const failures = ownPathsOf(cause, tally, sample, explanation).map((one) =>
    failureOf(tally, one.entry, one.channel),
  );
  return mostCommon(failures, failures.length / 2 + 0.5);
}

/**
 * How long ago the cause began, in milliseconds: when a tenth of its own paths had failed, of most of them that began
 * within one sweep. What failed long before on some channels alone was not yet this cause: it began when the last of them failed.
 */
export function beganMsAgo(
  cause: Cause,
  tally: Tally,
  sample: readonly number[],
  explanation: SharedPaths,
): number {
  const paths = ownPathsOf(cause, tally, sample, explanation);
  const ages = paths.map(({ entry, channel }) => tally.ageS(entry, channel));
  const beganS = Math.max(ageOfOldestTenth(ages), 0);
  const latestS = Math.min(...ages);
  if (cause.trouble !== 'broken' || beganS - latestS <= clockErrorS) return 1000 * beganS;
  // Mostly all began within the time in which all observers probe them.
  const times = timesOf(cause.subject, cause.ways, cause.channels, beganS, tally);
  const windowOf = (time?: ProbeTime) => (time ? allProbedS(time) : 0) + clockErrorS;
  const mostWindowS = Math.max(
    ...channelsIn(cause.knownChannels).map((one) => windowOf(times[one])),
  );
  // What one observer does not reach for longer failed for another reason before.
  const mostBeganS = (beginS(Float64Array.from(ages), mostWindowS) ?? 0) - detectS;
  const later = channelsIn(cause.knownChannels).flatMap((one) => {
    const windowS = windowOf(times[one]);
    if (beganS - latestS <= windowS) return [];
    const its = ages.filter((_, at) => paths[at]?.channel === one);
    const s = ageOfOldestTenth(its);
    return its.length > 0 && beganS - s > windowS ? s : [];
  });
  return 1000 * Math.max(Math.min(mostBeganS, ...later), 0);
}

/** When the connections of a cause were refused, in milliseconds ago. */
export function refusalsOf(
  { entries, knownChannels }: Cause,
  tally: Tally,
  explanation: SharedPaths,
) {
  let [longestS, secondS, lastS] = [0, 0, Infinity];
  for (const entry of entries) {
    let ageS = 0;
    for (const channel of channelsIn((tally.bad[entry] ?? 0) & knownChannels)) {
      const failure = failureOf(tally, entry, channel);
      const isAnswer = failure === 'refused' || failure === 'reset';
      if (isAnswer && !explanation.isShared(entry, channel))
        ageS = Math.max(ageS, tally.ageS(entry, channel));
    }
    if (ageS > longestS) [longestS, secondS] = [ageS, longestS];
    else secondS = Math.max(secondS, ageS);
    if (ageS > 0) lastS = Math.min(lastS, ageS);
  }
  const ageS = entries.length > 1 ? secondS : longestS;
  const ms = (s: number) => (s === 0 || s === Infinity ? 0 : 1000 * (s + detectRefusedS));
  return {
    /** Since the second observer was, or the first one where there is no other. That all began at the same time need not be known. */
    sinceMs: ms(ageS),
    /** Since the last observer of all was: the server still refused then. */
    lastMs: ms(lastS),
  };
}

/** So many of the observers that see a finding trace one path each. */
const mostTracers = 3;

/** The observers that trace a path of a finding, by the lowest hashes of its id and their name: all agents choose the same. */
export function tracersOf(
  id: string,
  { trouble, entries }: Cause,
  { observations, index }: Tally,
): string[] {
  const { hashes, nodes } = index;
  if (trouble !== 'broken' && trouble !== 'lossy') return [];
  const { from } = observations.entries;
  const salt = nameHash(id);
  const lowest: { readonly node: number; readonly hash: number }[] = [];
  for (const entry of entries) {
    const node = from[entry] ?? -1;
    const hash = Math.imul((hashes[node] ?? 0) ^ salt, 0x9e37_79b1) >>> 0;
    const worst = lowest.at(-1);
    if (lowest.length === mostTracers && worst && worst.hash <= hash) continue;
    if (lowest.some((known) => known.node === node)) continue;
    lowest.push({ node, hash });
    lowest.sort((a, b) => a.hash - b.hash);
    lowest.length = Math.min(lowest.length, mostTracers);
  }
  return lowest.flatMap(({ node }) => nodes[node]?.name ?? []);
}
