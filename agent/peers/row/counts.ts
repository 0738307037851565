import { channels, perChannel, type PerChannel } from '../../model/channel.js';
import type { PathState } from '../../model/path-state.js';
import type { Path } from '../../model/path.js';
import type { RowCounts } from '../../model/row.js';
import type { Protocol } from '../../model/sample.js';
import { maxNewerItems, type ValueReader } from './value-reader.js';

const maxCount = 1_000_000;

/** What a row counts on a channel where nothing is known. */
export const noCounts: RowCounts = { reachable: 0, unreachable: 0, unknown: 0, degraded: 0 };

type Counts = { -readonly [K in keyof RowCounts]: number };

/** Counts paths by their state. */
export class CountsBuilder {
  readonly counts: PerChannel<Counts> = perChannel(() => ({ ...noCounts }));

  add({ plane }: Path, protocol: Protocol, { state }: PathState, isDegraded: boolean): void {
    const count = this.counts[plane][protocol];
    count[state]++;
    if (state === 'reachable' && isDegraded) count.degraded++;
  }
}

/** One list of four numbers for each channel, in the order of their numbers. */
export function encodeCounts(counts: PerChannel<RowCounts>): number[][] {
  return channels.map(({ plane, protocol }) => {
    const { reachable, unreachable, unknown, degraded } = counts[plane][protocol];
    return [reachable, unreachable, unknown, degraded];
  });
}

/** @throws MalformedRow */
export function decodeCounts(read: ValueReader): PerChannel<RowCounts> {
  const sent = read.list(channels.length, maxNewerItems);
  const counts = perChannel(() => decodeChannel(read));
  for (let newer = sent - channels.length; newer > 0; newer--) decodeChannel(read);
  return counts;
}

export function areSameCounts(
  before: PerChannel<RowCounts>,
  after: PerChannel<RowCounts>,
): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function decodeChannel(read: ValueReader): RowCounts {
  const items = read.list(4, maxNewerItems);
  const reachable = read.whole(maxCount);
  const [unreachable, unknown] = [read.whole(maxCount), read.whole(maxCount)];
  const degraded = read.whole(reachable);
  read.newer(items - 4, maxCount);
  return { reachable, unreachable, unknown, degraded };
}
