import { channelsIn } from '../nouns/channel-mask.js';
import type { Side } from '../nouns/sight.js';

/** Where this share of the other paths of its zone or the cluster fails too, a node, or zones, may be the first part that is known of more. */
const spreadingShare = 0.4;
/** The same of what a node sends: its own row tells of many paths before rows of others come. */
const spreadingShareOfSent = 0.2;
/** What is told of fewer paths than one is nothing. */
export const leastPaths = 0.5;

/**
 * Whether so much else fails around a cause that it may be one of many, while not all of that has been probed yet.
 * @param side what is around it
 * @param own by channel, how many failing paths there are its own
 * @param channels its channels, as a mask
 * @param isSent it is about what one node sends
 */
export function isSpreading(
  side: Side,
  own: readonly number[],
  channels: number,
  isSent: boolean,
): boolean {
  const share = isSent ? spreadingShareOfSent : spreadingShare;
  return channelsIn(channels).every((channel) => {
    const [known, its] = [knownOf(side, channel), own[channel] ?? 0];
    const others = Math.max((side.bad[channel] ?? 0) - its, 0);
    const isUnknown = (side.reported[channel] ?? 0) - known >= leastPaths;
    return isUnknown && others / Math.max(known - its, 1) >= share;
  });
}

/** The paths that fail, and those that were looked at since. */
export function knownOf({ bad, probed }: Pick<Side, 'bad' | 'probed'>, channel: number): number {
  return (bad[channel] ?? 0) + (probed[channel] ?? 0);
}
