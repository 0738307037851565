import { channelNumber } from '../../model/channel.js';
import type { Row } from '../../model/row.js';
import { allMask, channelsIn } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { EntryList } from './entry-list.js';

/** So many numbers stand for an entry: the node, its channels by state and why they fail, which answered since, and the ages of the four in seconds. */
const perEntry = 7;

/**
 * Packs the entries of a row that was just read.
 * @param first the first of them
 * @param entryAt the entry of each node
 * @returns undefined where they say more than fits
 */
export function packEntries(
  { paths }: Pick<Row, 'paths'>,
  { numberOf }: Pick<ClusterIndex, 'numberOf'>,
  entries: EntryList,
  first: number,
  entryAt: Int32Array,
): Int32Array | undefined {
  const packed = new Int32Array(perEntry * (entries.size - first));
  for (let entry = first; entry < entries.size; entry++) {
    const at = perEntry * (entry - first);
    packed[at] = entries.to[entry] ?? 0;
    packed[at + 1] = entries.states(entry);
    packed[at + 2] = entries.answeredSince[entry] ?? 0;
  }
  for (const { node, plane, protocol, ageSeconds, flows } of paths) {
    if (flows || !Number.isInteger(ageSeconds)) return undefined;
    const entry = entryAt[numberOf.get(node) ?? -1] ?? -1;
    if (entry < first) continue;
    packed[perEntry * (entry - first) + 3 + channelNumber(plane, protocol)] = ageSeconds;
  }
  return packed;
}

/** Adds packed entries of an observer, whose row is so many seconds old. */
export function addPacked(
  entries: EntryList,
  observer: number,
  packed: Int32Array,
  bodyAgeS: number,
): void {
  for (let at = 0; at < packed.length; at += perEntry) {
    const entry = entries.add(observer, packed[at] ?? 0);
    const states = packed[at + 1] ?? 0;
    entries.setStates(entry, states);
    entries.answeredSince[entry] = packed[at + 2] ?? 0;
    const told = states | (states >> 4) | (states >> 8) | (states >> 12);
    for (const channel of channelsIn(told & allMask))
      entries.setAge(entry, channel, packed[at + 3 + channel] ?? 0, bodyAgeS);
  }
}
