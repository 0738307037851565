import type { RoundResult } from './host-round.js';

/** What happened in a round, and what the first host said of it. */
export function printHostRound({ round, notMade, lacks, seconds, findings }: RoundResult): string {
  const { events, trouble } = round;
  const { told, found, closed } = seconds;
  const made = [...events.map(({ what }) => what), ...(trouble ? [trouble.fault.what] : [])];
  return [
    made.join(' + '),
    `all agents told it after ${told.toFixed(1)} s, were right ${found.toFixed(1)} s after the fault, and found nothing ${closed.toFixed(1)} s after the repair`,
    ...findings.flatMap(({ text, since, signs = [], changes = [] }) => [
      `${since.slice(11, 19)} ${text}`,
      ...signs.map((sign) => `  at the same time: ${sign.node}: ${sign.text}`),
      ...changes.map(
        ({ node, text: what, at, withinSeconds }) =>
          `  before: ${node}: ${what}, at ${at.slice(11, 19)}${withinSeconds > 0 ? ` or up to ${withinSeconds} s before` : ''}`,
      ),
    ]),
    ...lacks.map((lack) => `wrong: ${lack}`),
    ...notMade.map((claim) => `not made: ${claim}`),
  ].join('\n  ');
}

/** The figures of all rounds, in lines. */
export function printHostRounds(results: readonly RoundResult[]): string {
  const right = results.filter(({ lacks, notMade }) => lacks.length + notMade.length === 0);
  const events = results.flatMap(({ round }) => round.events);
  const kinds = new Set(events.flatMap(({ tells }) => tells.map(({ name }) => name)));
  return `lab: ${right.length} of ${results.length} rounds right, of ${events.length} events that make ${kinds.size} signs and changes (${[...kinds].sort().join(', ')}); signs and changes named that were not made: ${new Set(results.flatMap(({ notMade }) => notMade)).size}`;
}
