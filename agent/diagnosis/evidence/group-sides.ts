import { channelsIn } from '../nouns/channel-mask.js';
import type { ClusterIndex, Zone } from '../nouns/cluster-index.js';
import type { LabelGroup } from '../nouns/node-groups.js';
import type { Side } from '../nouns/sight.js';
import { AgesByChannel, always, type Begins } from './begin-times.js';
import { isAnswer } from './path-counts.js';
import { WorkingPaths } from './probed-since.js';
import type { Observer } from './observations.js';
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

/** What the rows of a group say of the nodes of another one. */
interface Said {
  readonly entries: readonly number[];
  readonly fails: readonly number[];
  readonly answers: readonly number[];
  readonly begins: Begins;
  /** By row: how many paths are not known to be well, by channel. */
  readonly rows: readonly { readonly observer: Observer; readonly notWell: readonly number[] }[];
}

/** Counts the broken paths from the nodes of one group to those of another one, and those that work. */
export function sideBetween(tally: Tally, from: Members, to: Members): GroupSide {
  const { entries, fails, answers, begins, rows } = saidBy(tally, from, to);
  // Where none of these paths fails, what began is that the other direction does.
  const began = begins === always ? saidBy(tally, to, from).begins : begins;
  const working = new WorkingPaths(began, tally.times.hinted);
  const zone = asZone(to, tally.index);
  for (const { observer, notWell } of rows) {
    for (let channel = 0; channel < 4; channel++) {
      working.report(channel, observer.ageS, coveredIn(observer, zone, channel));
      working.add(channel, observer.ageS, -(notWell[channel] ?? 0));
    }
  }
  return {
    side: { bad: fails, ...working.counts() },
    entries: Int32Array.from(entries),
    answers,
  };
}

function saidBy(tally: Tally, from: Members, to: Members): Said {
  const { bad, covered } = tally;
  const { entries, observers, observerOf } = tally.observations;
  const found: number[] = [];
  const fails = [0, 0, 0, 0];
  const answers = [0, 0, 0, 0];
  const ages = new AgesByChannel(tally.times);
  const rows: { observer: Observer; notWell: number[] }[] = [];
  for (const node of from.members) {
    const observer = observers[observerOf[node] ?? -1];
    if (!observer) continue;
    const notWell = [0, 0, 0, 0];
    rows.push({ observer, notWell });
    const [first, end] = tally.rangeFrom(node);
    for (let entry = first; entry < end; entry++) {
      if (to.has[entries.to[entry] ?? 0] !== 1) continue;
      found.push(entry);
      for (const channel of channelsIn(covered[entry] ?? 0))
        notWell[channel] = (notWell[channel] ?? 0) + 1;
      for (const channel of channelsIn(bad[entry] ?? 0)) {
        fails[channel] = (fails[channel] ?? 0) + 1;
        if (isAnswer[((entries.failures[entry] ?? 0) >> (4 * channel)) & 15] === true)
          answers[channel] = (answers[channel] ?? 0) + 1;
        ages.add(channel, tally.ageS(entry, channel));
      }
    }
  }
  return { entries: found, fails, answers, begins: ages.begins(), rows };
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
