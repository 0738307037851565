import type { Cause } from '../nouns/cause.js';
import { channelsIn, sizeOf } from '../nouns/channel-mask.js';
import { reportedChannels } from './coverage.js';
import type { EntryList } from './entry-list.js';
import { knownPaths, timesOf } from './paths-of.js';
import { probedShare } from './time-model.js';
import { observerAt, type Observer } from './observations.js';
import type { Seen, SeenBy } from '../nouns/sight.js';
import type { Tally } from './tally.js';
import { isUnansweredSince } from './unanswered.js';

/**
 * Counts the observers that see a cause that began so many seconds ago, and those that probe where it is.
 * @param entriesOf returns all entries of its subject in its direction: of large packets only what was tested is known
 */
export function seenBy(
  cause: Cause,
  tally: Tally,
  entriesOf: () => Int32Array,
  beganS: number,
): SeenBy {
  const { subject, knownChannels, ways, entries } = cause;
  const { index, observations } = tally;
  const { observers, entries: all } = observations;
  const failing = new Set(entries.map((entry) => all.from[entry] ?? 0));
  if (cause.trouble === 'mtu') {
    const tests = entriesOf().filter((entry) => all.mtu[entry] || all.passed[entry]);
    const tested = new Set(tests.map((entry) => all.from[entry] ?? 0));
    return { failing: failing.size, of: tested.size, reporting: tested.size };
  }
  let [of, reporting] = [0, 0];
  const known = knownPaths(subject, ways, knownChannels, index);
  const isBroken = cause.trouble === 'broken';
  const notKnown =
    all.hasUnknown || !isBroken ? unknownOf(entriesOf(), knownChannels, all, isBroken) : undefined;
  const timesOn = timesOf(subject, ways, knownChannels, beganS, tally);
  for (const observer of observers) {
    const isFailing = failing.has(observer.node);
    if (!isFailing && known(observer) <= (notKnown?.get(observer.node) ?? 0)) continue;
    reporting++;
    if (isFailing || !isBroken || hasProbed(observer)) of++;
  }
  return { failing: failing.size, of, reporting };

  /** Whether it has certainly probed one of the channels since. */
  function hasProbed({ ageS }: Observer): boolean {
    return channelsIn(knownChannels).some((channel) => {
      const time = timesOn[channel];
      return time !== undefined && probedShare(beganS, ageS, time) === 1;
    });
  }
}

/**
 * Of each observer, how many of these paths it tells of without knowing whether they have the trouble: of one that fails it does
 * not know whether it loses packets or is slow.
 */
function unknownOf(
  about: Int32Array,
  channels: number,
  { unknown, fail, from: observers }: EntryList,
  isBroken: boolean,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const entry of about) {
    const count = sizeOf(((unknown[entry] ?? 0) | (isBroken ? 0 : (fail[entry] ?? 0))) & channels);
    const from = observers[entry] ?? -1;
    if (count > 0) counts.set(from, (counts.get(from) ?? 0) + count);
  }
  return counts;
}

/**
 * The number of other nodes that a node does not reach, those too that its row only counts, and of those that it probes.
 * @param beganS when it began, in seconds ago: where nothing that it sent since was answered, what does not fail was probed before
 */
export function notReached(
  { subject, trouble, knownChannels, entries }: Cause,
  { index, observations }: Tally,
  beganS: number,
): Seen {
  const failing = new Set(entries.map((entry) => observations.entries.to[entry] ?? 0));
  if (subject.type !== 'node') return { failing: failing.size, of: index.size };
  failing.delete(subject.node);
  const own = observerAt(observations, subject.node);
  if (!own) return { failing: failing.size, of: failing.size };
  const masked = channelsIn(knownChannels);
  const counted =
    trouble === 'broken' ? Math.max(...masked.map((one) => own.omitted[one] ?? 0)) : 0;
  const all = failing.size + counted;
  if (masked.every((one) => isUnansweredSince(own, one, beganS))) return { failing: all, of: all };
  let of = counted;
  for (let node = 0; node < index.size; node++) {
    const has = knownChannels & (index.masks[node] ?? 0);
    if (node !== own.node && reportedChannels(own, node, has, index) !== 0) of++;
  }
  return { failing: all, of: Math.max(of, all) };
}
