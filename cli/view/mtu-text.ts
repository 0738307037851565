import { formatDurationNs } from '../../api/duration.js';
import type { MtuLine } from '../../api/schema/v1/path-tests.js';
import { takenByTunnel } from '../../api/schema/v1/tunnel-overheads.js';
import { escapeText } from './escape.js';
import { pathTestTitle } from './path-test-title.js';

/** Prints one line of a test of packet sizes. */
export function renderMtuLine(line: MtuLine): string | undefined {
  switch (line.type) {
    case 'begin':
      return pathTestTitle(line);
    case 'echo': {
      const { bytes, result, rttNs, router } = line;
      const size = `${String(bytes).padStart(6)} bytes`;
      const rtt = rttNs === undefined ? '' : `   ${formatDurationNs(rttNs)}`;
      if (result === 'answered') return `${size}   answered${rtt}\n`;
      if (!router) return `${size}   no answer\n`;
      return `${size}   too big: ${escapeText(router.address)} says ${router.bytes}${rtt}\n`;
    }
    case 'end':
      return endText(line);
    case 'error':
      return undefined;
  }
}

type MtuEnd = Extract<MtuLine, { type: 'end' }>;

function endText(end: MtuEnd): string {
  const { result, largestBytes = 0, smallestLostBytes, interfaceBytes, kernelBytes } = end;
  const { saidBy, untrue } = end;
  if (result === 'unanswered') {
    return 'Even small packets are not answered: this says nothing of large ones.\n';
  }
  if (result === 'fits') {
    const size = grouped(largestBytes);
    const learnt =
      kernelBytes !== undefined && kernelBytes < largestBytes
        ? ` The kernel believes ${grouped(kernelBytes)} for this path, because a router said so once.`
        : '';
    return `Packets of ${size} bytes pass, the largest that the interface takes.${learnt}\n`;
  }
  const isExact = smallestLostBytes === largestBytes + 1;
  const between = isExact
    ? ''
    : ` (${grouped(smallestLostBytes ?? 0)} bytes are lost; sizes between were not tried)`;
  const why = saidBy
    ? `are refused: ${escapeText(saidBy.address)} says so`
    : 'vanish, and no router says so';
  const lie = untrue
    ? ` ${escapeText(untrue.address)} names ${grouped(untrue.bytes)} bytes, which is not the limit.`
    : '';
  const says =
    interfaceBytes === undefined
      ? ''
      : ` The interface says ${grouped(interfaceBytes)}${isExact ? tunnelWords(largestBytes, interfaceBytes) : ''}.`;
  return `Packets above ${grouped(largestBytes)} bytes ${why}${between}.${lie}${says}\n`;
}

function tunnelWords(bytes: number, interfaceBytes: number): string {
  const taken = takenByTunnel(bytes, interfaceBytes);
  if (!taken) return '';
  return `, exactly ${grouped(interfaceBytes - bytes)} more: as much as ${taken.words} takes`;
}

/** `1,500` */
function grouped(bytes: number): string {
  return String(bytes).replace(/\B(?=(\d{3})+$)/g, ',');
}
