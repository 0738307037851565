import { byteToChannels, channelText, type MatrixCells } from '../../schema/v1/matrix-cells.js';
import { lossyOrSlow, unreachable } from './matrix-cells.js';

/** By which channels a cell of the worst is bad: ` by host HTTP`; empty where it is not. */
export function channelWords({ channels, states }: MatrixCells, at: number): string {
  const isBad = states[at] === unreachable || states[at] === lossyOrSlow;
  if (!channels || !isBad) return '';
  return ` by ${byteToChannels(channels[at] ?? 0)
    .map(channelText)
    .join(', ')}`;
}
