import { planes } from '../../api/schema/v1/channel.js';
import type { NodeEntry } from '../../api/schema/v1/nodes.js';

/** How many hops the echo replies of a node usually take, on one line; nothing where that is not known. */
export function hopsLine({ paths }: Pick<NodeEntry, 'paths'>): string {
  const known = planes.flatMap((plane) => {
    const hops = paths[plane]?.hops;
    return hops === undefined ? [] : `${hops} hop${hops === 1 ? '' : 's'} (${plane} plane)`;
  });
  return known.length === 0 ? '' : `Its replies usually take ${known.join(' and ')}\n`;
}
