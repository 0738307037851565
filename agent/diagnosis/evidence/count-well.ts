import { channelsIn, countChannels, rowChannel } from '../nouns/channel-mask.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { allNodes } from '../nouns/subject.js';
import { always, beginsOfNodes, type Begins } from './begin-times.js';
import { reportedChannels } from './coverage.js';
import type { CoveredPaths } from './covered-paths.js';
import type { EntryList } from './entry-list.js';
import type { TimesAtNodes } from './times-at-nodes.js';
import { observerAt, type Observations } from './observations.js';
import type { PathCounts } from './path-counts.js';
import { reportedPaths } from './paths-of.js';
import { addWorking, apartS, detectRefusedS, detectS, noneProbed, roundedS } from './time-model.js';
import type { TroubledEntries } from './troubled-entries.js';
import { isUnansweredSince } from './unanswered.js';
import { witnessesOf } from './witnesses.js';

/** Entries with what is counted of them at each node. */
interface Counting extends TroubledEntries {
  readonly timesAtNodes: TimesAtNodes;
  readonly covered: Uint8Array;
  readonly to: PathCounts;
  readonly from: PathCounts;
}

/** A few paths of a node's own row may have failed at once by chance, so this share of the others counts as probed. */
export const leastOwnProbed = 0.1;

/** Counts the paths of nodes that are well since their trouble began, given what known causes explain. */
export function wellCounter(tally: Counting, explained: CoveredPaths | undefined) {
  const { index, observations, times, bad, covered, timesAtNodes } = tally;
  const { entries, heard, observerOf } = observations;
  const isBroken = tally.trouble === 'broken';
  const witnesses = witnessesOf(index, observations);
  const beginsAt = isBroken ? beginsOfNodes(tally, explained) : undefined;
  const gotFrom = isBroken ? heardWithoutRow(observations) : undefined;
  return { witnesses, countAt };

  /** Counts those to a node and from it, and returns when its trouble began. */
  function countAt(node: number): readonly [to: Begins, from: Begins] {
    const about = tally.entriesTo(node);
    const began = beginsAt?.(node, about) ?? [always, always];
    const [to, from] = began;
    countTo(node, about, to);
    if (isBroken) countHeard(node, about, to);
    countGot(node, to[rowChannel]);
    countFrom(node, from);
    return began;
  }

  /** Those to a node, by all who would tell that one is not. */
  function countTo(node: number, about: Int32Array, begins: Begins): void {
    const named = countChannels(about, (entry) => covered[entry] ?? 0);
    const counts = [];
    for (const channel of channelsIn(index.masks[node] ?? 0)) {
      const beganS = begins[channel] ?? Infinity;
      const time = timesAtNodes(beganS)[channel];
      if (!time) continue;
      const { probed: reported } = witnesses(node, channel, Infinity, time);
      // Mostly all who tell of a node that is down name it.
      if (named[channel] !== reported) {
        const working = witnesses(node, channel, beganS, time);
        counts.push({ channel, time, beganS, working, reported });
      } else tally.to.setWell(4 * node + channel, noneProbed(), reported);
    }
    if (counts.length === 0) return;
    // Those who tell that a path is not well are no witnesses that it is. There may be thousands, so each is looked at once.
    for (let at = 0; at < about.length; at++) {
      const entry = about[at] ?? 0;
      const observer = observerAt(observations, entries.from[entry] ?? -1);
      if (!observer) continue;
      const notWell = covered[entry] ?? 0;
      const failing = isBroken ? (bad[entry] ?? 0) : 0;
      for (const { channel, time, beganS, working } of counts) {
        const isNotWell = ((notWell >> channel) & 1) === 1;
        const isSure =
          !isNotWell &&
          answeredSince(entries, entry, failing, channel, beganS) &&
          reportedChannels(observer, node, 1 << channel, index) !== 0;
        if (isNotWell || isSure) addWorking(working, beganS, observer.ageS, time, -1);
        if (isSure) addWorking(working, Infinity, observer.ageS, time, 1);
      }
    }
    for (const { channel, working, reported } of counts)
      tally.to.setWell(4 * node + channel, working, reported);
  }

  /** Those from a node, which its own row alone tells. */
  function countFrom(node: number, begins: Begins): void {
    const own = observerAt(observations, node);
    if (!own) return;
    const [first, end] = tally.rangeFrom(node);
    const all = allNodes(index);
    for (let channel = 0; channel < 4; channel++) {
      const reported = reportedPaths(own, all, channel, index);
      let known = reported;
      for (let entry = first; entry < end; entry++)
        if (((covered[entry] ?? 0) >> channel) & 1) known--;
      const working = noneProbed();
      // Nobody tells a node of a trouble of its own.
      const time = times.alone[channel];
      const beganS = begins[channel] ?? Infinity;
      // Where nothing answers, what is not called failing yet is not called so for want of probes.
      if (!isUnansweredSince(own, channel, beganS)) {
        if (time) addWorking(working, beganS, own.ageS, time, Math.max(known, 0));
        working.probed = Math.max(working.probed, leastOwnProbed * known);
      }
      tally.from.setWell(4 * node + channel, working, reported);
    }
  }

  /**
   * A node's own GETs that arrive are paths that work, where its row does not tell so. Who has not seen what failed last may have got
   * them before.
   */
  function countHeard(node: number, about: Int32Array, begins: Begins): void {
    const hearing = observerOf[node] === -1 ? heard.get(node) : undefined;
    if (!hearing) return;
    const observers = new Set(hearing.map(({ observer }) => observer));
    const beganS = Math.min(...begins) + apartS;
    for (const entry of about) {
      if (!observers.has(entries.from[entry] ?? -1)) continue;
      const failing = channelsIn(bad[entry] ?? 0);
      if (failing.some((channel) => tally.ageS(entry, channel) < beganS))
        tally.from.addWorking(4 * node + rowChannel, { misfit: 1, probed: 1 });
    }
  }

  /** Adds the paths to a node on which it got GETs of nodes without a row, by the probability that these came since its trouble began. */
  function countGot(node: number, beganS = Infinity): void {
    const [time, got] = [times.alone[rowChannel], gotFrom?.get(node)];
    if (!time || !got) return;
    const working = noneProbed();
    for (const confirmedS of got) addWorking(working, beganS, confirmedS, time, 1);
    tally.to.addWorking(4 * node + rowChannel, working);
  }
}

/** By observer: for each node without a row that it heard, when its own row last said so, in seconds ago. */
function heardWithoutRow({ heard, observerOf }: Observations): ReadonlyMap<number, number[]> {
  const gotFrom = new Map<number, number[]>();
  for (const [node, observers] of heard) {
    if (observerOf[node] !== -1) continue;
    for (const { observer, confirmedMsAgo } of observers)
      getOrInsert(gotFrom, observer, () => []).push(confirmedMsAgo / 1000);
  }
  return gotFrom;
}

/**
 * Whether a path worked since a cause began, as another path to the same node failed, and this one answered since: a probe without
 * an answer makes an agent probe the other paths of that node at once (`probing/schedule/scheduler.ts`).
 * @param failing the channels of the entry that fail, as a mask
 * @param beganS when the cause began, in seconds ago
 */
export function answeredSince(
  entries: EntryList,
  entry: number,
  failing: number,
  channel: number,
  beganS: number,
): boolean {
  const answered = entries.answeredSince[entry] ?? 0;
  if (answered === 0) return false;
  return channelsIn(failing).some((other) => {
    if (((answered >> (4 * other + channel)) & 1) === 0) return false;
    const verdictS = entries.isTimeout(entry, other) ? detectS : detectRefusedS;
    const failedS = (entries.ageS[4 * entry + other] ?? 0) + verdictS;
    return failedS <= beganS + roundedS;
  });
}
