import type { NotProbed } from './summary.js';

/** Says which protocols an agent does not probe: `ICMP is not probed (no permission)`; undefined if none. */
export function notProbedText(notProbed: readonly NotProbed[] = []): string | undefined {
  if (notProbed.length === 0) return undefined;
  return notProbed
    .map(({ protocol, reason }) => `${protocol.toUpperCase()} is not probed (${reason})`)
    .join(', ');
}
