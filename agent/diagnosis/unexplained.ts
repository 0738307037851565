import type { Candidate } from './build-finding.js';
import { sizeOf } from './channel-mask.js';
import { countUpTo } from './cluster-index.js';
import type { Tally } from './tally.js';

/** The work between two yields, in entries. */
const slice = 2000;

/**
 * How many failing paths no open finding explains: those that rows name, and those that they only
 * count.
 */
export function* unexplainedPaths(
  tally: Tally,
  open: readonly Candidate[],
): Generator<void, number> {
  const { bad, badEntries, index } = tally;
  const explained = new Uint8Array(bad.length);
  // The nodes to which paths fail by an open finding, as hashes by channel.
  const failing: number[][] = [[], [], [], []];
  let [clusterMask, work] = [0, 0];
  for (const { subject, mask, entries, ways } of open.flatMap((one) => one.explained)) {
    for (const entry of entries) explained[entry] = (explained[entry] ?? 0) | mask;
    work += 20 + entries.length;
    if (work > slice) {
      work = 0;
      yield;
    }
    if (subject.type === 'cluster') clusterMask |= mask;
    if (subject.type !== 'node' || ways === 'out') continue;
    for (let channel = 0; channel < 4; channel++) {
      if ((mask >> channel) & 1) failing[channel]?.push(index.hashes[subject.node] ?? 0);
    }
  }
  const ascending = failing.map((hashes) => Float64Array.from(hashes).sort());
  let left = 0;
  for (let at = 0; at < badEntries.length; at++) {
    if ((at + 1) % slice === 0) yield;
    const entry = badEntries[at] ?? 0;
    left += sizeOf((bad[entry] ?? 0) & ~(explained[entry] ?? 0));
  }
  for (const { omitted, coverage } of tally.observations.observers) {
    for (let channel = 0; channel < 4; channel++) {
      const count = omitted[channel] ?? 0;
      if (count === 0 || ((clusterMask >> channel) & 1) === 1) continue;
      const hashes = ascending[channel] ?? [];
      const known = hashes.length - countUpTo(hashes, coverage.horizons[channel] ?? -1);
      left += Math.max(count - known, 0);
    }
  }
  return left;
}
