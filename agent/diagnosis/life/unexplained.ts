import type { Candidate } from '../nouns/finding.js';
import { sizeOf } from '../nouns/channel-mask.js';
import { countUpTo } from '../nouns/cluster-index.js';
import { paced } from '../nouns/steps.js';
import { listGroupOf, listGroups } from '../../model/row-coverage.js';
import type { Tally } from '../evidence/tally.js';

/** The work between two yields, in entries. */
const slice = 2000;
/** The same in rows. */
const rowsInSlice = 50;

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
  /** The channels by which paths to a node fail by an open finding. */
  const failing = new Uint8Array(index.size);
  let clusterMask = 0;
  const isEnough = paced(slice);
  for (const { subject, knownChannels, entries, ways } of open.flatMap((one) => one.explained)) {
    for (const entry of entries) explained[entry] = (explained[entry] ?? 0) | knownChannels;
    if (isEnough(20 + entries.length)) yield;
    if (subject.type === 'cluster') clusterMask |= knownChannels;
    if (subject.type !== 'node' || ways === 'out') continue;
    failing[subject.node] = (failing[subject.node] ?? 0) | knownChannels;
  }
  const ascending = hashesByGroup(failing, index.hashes);
  let left = 0;
  for (let at = 0; at < badEntries.length; at++) {
    if ((at + 1) % slice === 0) yield;
    const entry = badEntries[at] ?? 0;
    left += sizeOf((bad[entry] ?? 0) & ~(explained[entry] ?? 0));
  }
  for (const [at, { node, omitted, coverage }] of tally.observations.observers.entries()) {
    if ((at + 1) % rowsInSlice === 0) yield;
    for (let channel = 0; channel < 4; channel++) {
      const count = omitted[channel] ?? 0;
      if (count === 0 || ((clusterMask >> channel) & 1) === 1) continue;
      const horizon = coverage.horizons[channel] ?? -1;
      // Its path to itself does not fail, and of nodes that it may not know it counts nothing.
      const hash = index.hashes[node] ?? 0;
      const isItself =
        (((failing[node] ?? 0) >> channel) & 1) === 1 &&
        hash > horizon &&
        ((coverage.groups >> listGroupOf(hash)) & 1) === 1;
      let known = isItself ? -1 : 0;
      const byGroup = ascending[channel] ?? [];
      for (let group = 0; group < byGroup.length; group++) {
        const hashes = byGroup[group];
        if (hashes && (coverage.groups >> group) & 1)
          known += hashes.length - countUpTo(hashes, horizon);
      }
      left += Math.max(count - known, 0);
    }
  }
  return left;
}

/** For each channel and group of the node list, the hashes of the failing nodes, ascending. */
function hashesByGroup(failing: Uint8Array, hashes: ArrayLike<number>): Float64Array[][] {
  return [0, 1, 2, 3].map((channel) => {
    const groups: number[][] = Array.from({ length: listGroups }, () => []);
    for (let node = 0; node < failing.length; node++) {
      const hash = hashes[node] ?? 0;
      if (((failing[node] ?? 0) >> channel) & 1) groups[listGroupOf(hash)]?.push(hash);
    }
    return groups.map((ofGroup) => new Float64Array(ofGroup).sort());
  });
}
