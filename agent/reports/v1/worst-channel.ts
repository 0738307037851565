import {
  badnessOfByte,
  stateToByte,
  type MatrixBytes,
} from '../../../api/schema/v1/matrix-bytes.js';
import type { NodeMatrix } from '../../../api/schema/v1/matrix.js';
import type { MatrixQuery } from '../../../api/schema/v1/queries.js';
import { channelNumber, channels, type Channel } from '../../model/channel.js';
import type { Node } from '../../model/node.js';
import type { Steps } from '../../platform/time-slices.js';

/** The cells of one channel. */
export interface ChannelCells {
  readonly channel: Channel;
  readonly states: Uint8Array;
  readonly rtts: Uint8Array;
  readonly few: Uint8Array;
}

/** The channels that a query asks for. */
export function channelsOf({
  plane,
  protocol,
}: Pick<MatrixQuery, 'plane' | 'protocol'>): Channel[] {
  return channels.filter(
    (channel) =>
      (plane === 'worst' || channel.plane === plane) &&
      (protocol === 'worst' || channel.protocol === protocol),
  );
}

/**
 * The channels that readers are told nobody reports. A plane on which no node has an address is none of them, unless
 * it was asked for.
 */
export function missingChannels(
  unreported: readonly { readonly channel: Channel }[],
  nodes: readonly Node[],
  { plane: asked }: Pick<MatrixQuery, 'plane'>,
): NonNullable<NodeMatrix['unreported']> {
  return unreported
    .map(({ channel }) => ({ ...channel }))
    .filter(({ plane }) => plane === asked || nodes.some((node) => node[plane].length > 0));
}

/** Whether anybody reports anything by a channel. */
export function isReported({ states }: ChannelCells): boolean {
  const [reachable, excluded] = [stateToByte('reachable'), stateToByte('excluded')];
  return states.some((byte) => byte >= reachable && byte < excluded);
}

const stepCells = 100_000;
const badness = Uint8Array.from({ length: 256 }, (_, byte) => badnessOfByte(byte));

/**
 * Of each cell the worst state of the channels, which of them have it, and the longest RTT among
 * those.
 */
export function* worstOf(cells: readonly ChannelCells[], count: number): Steps<MatrixBytes> {
  const states = new Uint8Array(count).fill(stateToByte('excluded'));
  const rtts = new Uint8Array(count);
  const [mask, few] = [new Uint8Array(count), new Uint8Array(count)];
  for (const { channel, states: own, rtts: ownRtts, few: ownFew } of cells) {
    const bit = 1 << channelNumber(channel.plane, channel.protocol);
    for (let at = 0; at < count; at++) {
      const state = own[at] ?? 0;
      const worse = (badness[state] ?? 0) - (badness[states[at] ?? 0] ?? 0);
      if (worse >= 0) {
        const isWorse = worse > 0;
        states[at] = state;
        mask[at] = isWorse ? bit : bit | (mask[at] ?? 0);
        const [rtt, known] = [ownRtts[at] ?? 0, rtts[at] ?? 0];
        if (isWorse || rtt > known) few[at] = ownFew[at] ?? 0;
        rtts[at] = isWorse ? rtt : Math.max(rtt, known);
      }
      if (at % stepCells === 0) yield;
    }
  }
  return { states, rtts, channels: mask, few };
}
