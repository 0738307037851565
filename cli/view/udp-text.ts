import { planes } from '../../api/schema/v1/channel.js';
import type { NodeEntry, UdpState } from '../../api/schema/v1/nodes.js';
import { escapeText } from './escape.js';

/** One line for each plane that is tested by UDP: what became of the datagrams. */
export function udpLines({ addresses, paths }: Pick<NodeEntry, 'addresses' | 'paths'>): string {
  return planes
    .map((plane) => {
      const udp = paths[plane]?.udp;
      if (!udp) return '';
      const where = `${plane} plane, ${escapeText(addresses[plane][0] ?? '')}`;
      return `UDP in the last ${Math.round(udp.windowSeconds / 60)} minutes (${where}): ${fates(udp)}\n`;
    })
    .join('');
}

function fates(udp: UdpState): string {
  const { sent, lost, lastAnswer } = udp;
  if (lastAnswer === undefined) {
    return `${sent} datagrams sent, none was ever answered; the node may have no --udp-port`;
  }
  if (sent === 0) return `none sent; the last answer came at ${escapeText(lastAnswer)}`;
  if (lost === sent) return `all of ${sent} datagrams lost since ${escapeText(lastAnswer)}`;
  const more = [
    ways('reordered', udp.reorderedThere, udp.reorderedBack),
    ways('duplicated', udp.duplicatedThere, udp.duplicatedBack),
  ];
  const losses = lost === 0 ? 'none lost' : lossWays(udp);
  return [`${sent} datagrams, ${losses}`, ...more.filter((text) => text !== '')].join('; ');
}

/** `12 lost (9 there, 2 back, 1 either way)` */
function lossWays({ lost, lostThere, lostBack }: UdpState): string {
  const unknown = Math.max(0, lost - lostThere - lostBack);
  return `${lost} lost (${parts({ there: lostThere, back: lostBack, 'either way': unknown })})`;
}

function ways(word: string, there: number, back: number): string {
  return there + back === 0 ? '' : `${there + back} ${word} (${parts({ there, back })})`;
}

function parts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([way, count]) => `${count} ${way}`)
    .join(', ');
}
