import { formatDurationNs } from '../../api/duration.js';
import type { TraceLine } from '../../api/schema/v1/path-tests.js';
import { escapeText } from './escape.js';
import { pathTestTitle } from './path-test-title.js';

const addressWidth = { 4: 15, 6: 39 } as const;

/** Returns what prints the lines of one trace, each as it comes. */
export function createTraceView(): (line: TraceLine) => string | undefined {
  let width: number = addressWidth[4];
  return (line) => {
    switch (line.type) {
      case 'begin':
        width = addressWidth[line.address.includes(':') ? 6 : 4];
        return pathTestTitle(line);
      case 'hop': {
        const { ttl, address, rttNs, says } = line;
        const number = String(ttl).padStart(3);
        if (address === undefined) return `${number}   no answer\n`;
        const rtt = rttNs === undefined ? '' : `   ${formatDurationNs(rttNs)}`;
        const word = says === undefined ? '' : `   (${escapeText(says)})`;
        return `${number}   ${escapeText(address).padEnd(width)}${rtt}${word}\n`;
      }
      case 'end':
        return endText(line);
      case 'error':
        return undefined;
    }
  };
}

type TraceEnd = Extract<TraceLine, { type: 'end' }>;

function endText({ isReached, lastAnswering, triedTtl }: TraceEnd): string {
  if (!lastAnswering) return `No hop answers, up to the ${triedTtl}th.\n`;
  const { address, ttl } = lastAnswering;
  if (isReached) return `Reached after ${ttl} ${ttl === 1 ? 'hop' : 'hops'}.\n`;
  return `Not reached: ${escapeText(address)}, hop ${ttl}, is the last that answers; tried up to hop ${triedTtl}.\n`;
}
