import { planes } from '../../api/schema/v1/channel.js';
import type { NodeEntry } from '../../api/schema/v1/nodes.js';
import { escapeText } from './escape.js';

/** One line for each plane on which large packets are lost and small ones pass. */
export function largeLines({ addresses, paths }: Pick<NodeEntry, 'addresses' | 'paths'>): string {
  return planes
    .map((plane) => {
      const large = paths[plane]?.large;
      if (large?.state !== 'lost') return '';
      const { limit } = large;
      const where = `${plane} plane, ${escapeText(addresses[plane][0] ?? '')}`;
      const which = limit ? `Packets above ${limit.bytes} bytes` : 'Large packets';
      const who =
        limit?.saidBy === undefined ? 'nobody says so' : `${escapeText(limit.saidBy)} says so`;
      return `${which} are lost (${where}), small ones pass; ${limit ? `${who}; ` : ''}meshprobe mtu tests again\n`;
    })
    .join('');
}
