import { channelsIn, sizeOf } from '../nouns/channel-mask.js';
import { observerAt } from '../evidence/observations.js';
import type { Tally } from '../evidence/tally.js';

/** A path that fails for longer, and for more of its probes, is down: so many lost in a row are no chance, whatever loses them. */
const [mostAgeS, mostProbes] = [60, 2];
/** So many more of a node's paths lose probes than fail. */
const leastMore = 3;
/** Of the eight paths between two nodes so many are not down at the same time by chance. */
const leastTogether = 4;
/** Of a node's paths on a channel no more than these lose three probes in a row at the same time. */
const [mostDown, mostDownShare] = [2, 0.1];

/**
 * The failing paths that are most likely down for a moment, as they lost three probes in a row by chance: paths of a node of which
 * more lose probes than fail. It is known before the cause of the losses is, of which rows tell one path after the other.
 * What fails by all of its channels at once, or by half of those between two nodes, what many others fail with, and what is refused is no such path.
 * @returns each by four times the entry plus the channel
 */
export function momentaryPaths(tally: Tally): number[] {
  const { badEntries, bad, index, observations } = tally;
  const { entries } = observations;
  const { from, to, lossy, ageS } = entries;
  // How many more paths lose probes than fail without many others, by node.
  const more = new Int32Array(index.size);
  const add = (entry: number, count: number) => {
    for (const node of [from[entry] ?? 0, to[entry] ?? 0]) more[node] = (more[node] ?? 0) + count;
  };
  let isAny = false;
  for (let entry = 0; entry < entries.size; entry++) {
    if (lossy[entry] === 0) continue;
    add(entry, sizeOf(lossy[entry] ?? 0));
    isAny = true;
  }
  if (!isAny) return [];
  const most = Math.max(mostDown, mostDownShare * (index.size - 1));
  const isOfMany = (entry: number, channel: number) =>
    (tally.to.bad[4 * (to[entry] ?? 0) + channel] ?? 0) > most ||
    (tally.from.bad[4 * (from[entry] ?? 0) + channel] ?? 0) > most;
  for (const entry of badEntries)
    for (const channel of channelsIn(bad[entry] ?? 0))
      if (!isOfMany(entry, channel)) add(entry, -1);
  const found: number[] = [];
  for (const entry of badEntries) {
    const [a, b] = [more[from[entry] ?? 0] ?? 0, more[to[entry] ?? 0] ?? 0];
    if (Math.max(a, b) < leastMore || Math.min(a, b) < -leastMore) continue;
    const back = tally.entryOf(to[entry] ?? 0, from[entry] ?? 0);
    const together = sizeOf(bad[entry] ?? 0) + (back === -1 ? 0 : sizeOf(bad[back] ?? 0));
    if (tally.failsWhole(entry) || together >= leastTogether) continue;
    // A row from some time ago does not say that it still fails.
    const unreportedS = observerAt(observations, from[entry] ?? 0)?.ageS ?? 0;
    for (let channel = 0; channel < 4; channel++) {
      const at = 4 * entry + channel;
      if ((((bad[entry] ?? 0) >> channel) & 1) === 0) continue;
      // In a large cluster a path is probed again only after minutes.
      const sweepS = tally.times.alone[channel]?.sweepS ?? 0;
      if ((ageS[at] ?? 0) - unreportedS > Math.max(mostAgeS, mostProbes * sweepS)) continue;
      if (!entries.isTimeout(entry, channel) || isOfMany(entry, channel)) continue;
      found.push(at);
    }
  }
  return found;
}
