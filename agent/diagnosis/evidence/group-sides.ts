import { channelsIn } from '../nouns/channel-mask.js';
import type { ClusterIndex, Zone } from '../nouns/cluster-index.js';
import type { LabelGroup } from '../nouns/node-groups.js';
import type { Side } from '../nouns/sight.js';
import { AgesByChannel, always, type Begins } from './begin-times.js';
import { isAnswer } from './path-counts.js';
import { WorkingPaths } from './probed-since.js';
import type { Tally } from './tally.js';
import { coveredIn } from './witnesses.js';

type Members = Pick<LabelGroup, 'members' | 'has'>;

/** The paths from the nodes of one group to those of another one. */
export interface GroupSide {
  readonly side: Side;
  /** Those of which rows have an entry. */
  readonly entries: Int32Array;
  /** By channel: how many of the failing ones are answers. */
  readonly answers: readonly number[];
}

/** Counts the broken paths from the nodes of one group to those of another one, and those that work. */
export function sideBetween(tally: Tally, from: Members, to: Members): GroupSide {
  const { index, observations, bad, covered } = tally;
  const { entries, observers, observerOf } = observations;
  const fails = [0, 0, 0, 0];
  const answers = [0, 0, 0, 0];
  const found = entriesBetween(tally, from, to);
  for (const entry of found) {
    for (const channel of channelsIn(bad[entry] ?? 0)) {
      fails[channel] = (fails[channel] ?? 0) + 1;
      if (isAnswer[((entries.failures[entry] ?? 0) >> (4 * channel)) & 15] === true)
        answers[channel] = (answers[channel] ?? 0) + 1;
    }
  }
  const own = beginsOf(tally, found);
  // Where none of these paths fails, what began is that the other direction does.
  const begins = own === always ? beginsOf(tally, entriesBetween(tally, to, from)) : own;
  const working = new WorkingPaths(begins, tally.times.hinted);
  const zone = asZone(to, index);
  for (const node of from.members) {
    const observer = observers[observerOf[node] ?? -1];
    if (!observer) continue;
    for (let channel = 0; channel < 4; channel++) {
      working.report(channel, observer.ageS, coveredIn(observer, zone, channel));
    }
  }
  for (const entry of found) {
    const { ageS = 0 } = observers[observerOf[entries.from[entry] ?? 0] ?? -1] ?? {};
    for (const channel of channelsIn(covered[entry] ?? 0)) working.add(channel, ageS, -1);
  }
  return { side: { bad: fails, ...working.counts() }, entries: Int32Array.from(found), answers };
}

function entriesBetween(tally: Tally, from: Members, to: Members): number[] {
  const { entries } = tally.observations;
  const found: number[] = [];
  for (const node of from.members) {
    const [first, end] = tally.rangeFrom(node);
    for (let entry = first; entry < end; entry++)
      if (to.has[entries.to[entry] ?? 0] === 1) found.push(entry);
  }
  return found;
}

function beginsOf(tally: Tally, entries: readonly number[]): Begins {
  const ages = new AgesByChannel(tally.times);
  for (const entry of entries) {
    for (const channel of channelsIn(tally.bad[entry] ?? 0))
      ages.add(channel, tally.ageS(entry, channel));
  }
  return ages.begins();
}

/** A group belongs to one list of nodes, so this stays the same for it. */
const zoneOfGroup = new WeakMap<Members, Zone>();

/** A group, as what rows cover of it is counted. */
function asZone(group: Members, { hashes, masks }: ClusterIndex): Zone {
  const known = zoneOfGroup.get(group);
  if (known) return known;
  const { members } = group;
  const sorted = [0, 1, 2, 3].map((channel) =>
    members
      .filter((node) => ((masks[node] ?? 0) >> channel) & 1)
      .map((node) => hashes[node] ?? 0)
      .sort((a, b) => a - b),
  );
  const zone = { name: '', members, hashes: sorted };
  zoneOfGroup.set(group, zone);
  return zone;
}
