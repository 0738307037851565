import type { RowRefutation } from '../../model/refutation.js';
import { channelsIn, rowChannel } from '../nouns/channel-mask.js';
import { observerAt, type Facts } from './observations.js';
import { lateAnswerMs } from './hearing.js';
import type { Tally } from './tally.js';
import { detectS, roundedS } from './time-model.js';

/** The logarithm of the chance that is taken for certainty, by how many heard the node. */
const sureLog = [-4.6, -7] as const;
/** Even after a whole interval one GET may have been lost or late. */
const mostShare = 0.99;
/** Three parts of a second, one as likely as the others: ages in rows are whole seconds, and an agent looks once a second whether its row has changed. */
const parts = [1 / 6, 1 / 2, 5 / 6] as const;
/** What a GET that came before the verdict says is not counted, unless the verdict waited as long for an answer. */
const lateReadS = 1;

/**
 * Whether a node's silence says that it sends nothing. Each observer gets a GET of each node once in an interval, and more of
 * one that no GET reaches, if its row says that it refutes. So the chance that none came falls with every observer that would
 * tell, and with time.
 * @param beganMs how long ago the node's trouble began
 * @param hearing how many observers heard it since
 */
export function isSilenceSure(
  facts: Facts,
  tally: Tally,
  node: number,
  beganMs: number,
  hearing: number,
): boolean {
  const { input, index, observations } = facts;
  const { own } = observations;
  const enough = sureLog[hearing];
  const wasHeard = input.heardMsAgo.get(index.nodes[node]?.name ?? '') !== undefined;
  if (enough === undefined || !own || !wasHeard) return true;
  const intervalS = own.httpIntervalMs / 1000;
  const refutation = observerAt(observations, node)?.refutation;
  const beganS = beganMs / 1000;
  if (refutation) {
    const { log, heard } = logOfRefuting(facts, tally, node, beganS, intervalS, refutation);
    return log <= (sureLog[hearing + heard] ?? -Infinity);
  }
  // It sends its GETs as ever.
  const hears = hearsItStill(observations, node);
  const logs = observations.observers.map(({ ageS, node: observer }) =>
    hears(observer) ? 0 : Math.log(chanceOfNone((beganS - lateAnswerMs / 1000 - ageS) / intervalS)),
  );
  return logs.reduce((sum, log) => sum + log, 0) <= enough;
}

/**
 * The logarithm of the chance that none came, of a node that refutes, and how many observers tell of one that came before their
 * verdict: of one that came after it they tell that the node is heard.
 */
function logOfRefuting(
  { index, observations, localNode }: Facts,
  tally: Tally,
  node: number,
  beganS: number,
  intervalS: number,
  { afterMs, forMs, perSecond }: RowRefutation,
): { readonly log: number; readonly heard: number } {
  const { entries } = observations;
  const hears = hearsItStill(observations, node);
  const startsS = unreachedS(tally, node, beganS) - afterMs / 1000;
  const endsS = startsS - forMs / 1000;
  const sentTo = (fromS: number, untilS: number) =>
    Math.max(fromS - untilS, 0) / intervalS +
    (Math.max(Math.min(fromS, startsS) - Math.max(untilS, endsS), 0) * perSecond) /
      Math.max(index.size - 1, 1);
  let log = Math.log(chanceOfNone(sentTo(beganS - lateAnswerMs / 1000, 0)));
  let heard = 0;
  for (const entry of tally.entriesTo(node)) {
    const from = entries.from[entry] ?? -1;
    const observer = observerAt(observations, from);
    if (!observer || from === localNode || hears(from)) continue;
    const unheardS = reportedUnheardS(tally, entry);
    if (unheardS > 0 && unheardS + roundedS < startsS) {
      heard++;
      continue;
    }
    // That nothing came before the node refuted says nothing: its next usual GET may not have been due yet.
    const sinceS = Math.max(listensS(tally, entry), Math.min(unheardS, startsS));
    let chance = 0;
    for (const part of parts) {
      const untilS = observer.ageS + part * observer.staleS;
      chance += chanceOfNone(sentTo(sinceS + 1 - part, untilS)) / parts.length;
    }
    log += Math.log(chance);
  }
  return { log, heard };
}

/** Tells who says that it hears a node, as other paths to it failed before: whether that was since the trouble began, it does not say. */
function hearsItStill({ heard }: Facts['observations'], node: number) {
  const hearing = new Set(heard.get(node)?.map(({ observer }) => observer));
  return (observer: number): boolean => hearing.has(observer);
}

/**
 * Since when no GET reached a node, in seconds ago: since the second verdict of all, as one may be wrong. Its GETs begin and end by
 * that time, so if it is taken too late, they are waited for when it sends none any more.
 */
export function unreachedS(
  tally: Pick<Tally, 'bad' | 'entriesTo' | 'ageS'>,
  node: number,
  beganS: number,
): number {
  const about = [...tally.entriesTo(node)];
  const failing = about.filter((entry) => ((tally.bad[entry] ?? 0) >> rowChannel) & 1);
  const agesS = [beganS, beganS, ...failing.map((entry) => tally.ageS(entry, rowChannel))];
  const [, secondS = beganS] = agesS.sort((a, b) => b - a);
  return secondS + detectS;
}

/** Since when an observer would tell that it hears the node, in seconds ago: since the last of its verdicts. */
function listensS(tally: Tally, entry: number): number {
  const { entries } = tally.observations;
  let s = Infinity;
  for (const channel of channelsIn(tally.bad[entry] ?? 0)) {
    const lateS = entries.isTimeout(entry, channel) ? 0 : lateReadS;
    s = Math.min(s, tally.ageS(entry, channel) - lateS);
  }
  return s === Infinity ? 0 : s;
}

/** How long ago the node's own GET came last, as a row tells; 0 where it may not tell of one that came after a verdict. */
function reportedUnheardS({ bad, observations: { entries } }: Tally, entry: number): number {
  const failing = channelsIn(bad[entry] ?? 0);
  const isReported = failing.every((channel) => entries.isTimeout(entry, channel));
  return isReported ? (entries.unheardS[entry] ?? 0) : 0;
}

/** The chance that none of some GETs came, of which so many are expected. */
export function chanceOfNone(expected: number): number {
  return 1 - Math.min(Math.max(expected, 0), mostShare);
}
