import type { Cause } from '../nouns/cause.js';
import { channelsIn, hostMask, httpMask, icmpMask } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { Side } from '../nouns/sight.js';
import { isWithin } from '../nouns/subject.js';

// Echoes are answered by the kernel of a host, GETs by a program on it. A node whose programs do not answer may be down or not:
// only echoes that fail for its own sake tell the two apart.

/**
 * Whether what a cause says of a node may be so of the servers there alone: they are asked, and do not answer.
 * @param lives its agent runs, so whatever is lost on the way to its node IP is not for want of a server
 */
export function mayBeServers({ trouble, subject, channels, ways }: Cause, lives: boolean): boolean {
  if (trouble !== 'broken' || subject.type !== 'node' || ways !== 'in') return false;
  if ((channels & httpMask) === 0) return false;
  return !lives || (channels & hostMask) === 0;
}

/** Whether echoes tell of the node of a cause: they are answered, or fail because of it, and not anyway, to all nodes or to all of a group. */
export function areEchoesTelling(
  { subject, knownChannels }: Cause,
  to: Side,
  larger: readonly Cause[],
  index: ClusterIndex,
): boolean {
  const isAnswered = (channel: number) => {
    const well = to.well[channel] ?? 0;
    return well >= 1 && well > (to.bad[channel] ?? 0);
  };
  if (channelsIn(icmpMask).some(isAnswered)) return true;
  let telling = knownChannels & icmpMask;
  for (const { subject: whole, channels, ways } of larger) {
    if (ways !== 'out' && isWithin(subject, whole, index)) telling &= ~channels;
  }
  return telling !== 0;
}
