import { seconds, share, spread } from '../../sim/timeline/times-text.js';
import type { AgentWatch } from './agent-watch.js';
import type { Round } from './two-fault-round.js';

/** An agent is to say exactly the faults within this time. */
const exactWithinMs = 8000;

/** What happened in a round, in lines. */
export function printRound({ faults, watches, madeMs, repairedMs, reports }: Round): string {
  const wrong = watches.flatMap((watch) =>
    watch.falseFindings.map(
      ({ finding, fromMs, toMs }) =>
        `false on ${watch.host.name} ${fromMs < repairedMs ? `from ${seconds(fromMs - madeMs)}` : `${seconds(fromMs - repairedMs)} after the repair`} for ${seconds(toMs - fromMs)}: ${finding.id}, ${finding.text}`,
    ),
  );
  const late = watches.filter((watch) => !(watch.exactMs - madeMs <= exactWithinMs));
  return [
    faults.map(({ what }) => what).join(' + '),
    `exactly right: ${spread(watches.map(({ exactMs }) => exactMs - madeMs))}`,
    ...late.map(
      (watch) =>
        `late on ${watch.host.name}: ${seconds(watch.exactMs - madeMs)}; it said ${saidBy(watch, madeMs)}`,
    ),
    ...wrong,
    `closed: ${spread(watches.map(({ closedMs }) => closedMs - repairedMs))}`,
    ...reports.map((path) => `report: ${path}`),
  ].join('\n  ');
}

/** The figures of all rounds, in lines. */
export function printRounds(rounds: readonly Round[]): string {
  const exact = rounds.map(({ watches, madeMs }) => watches.map(({ exactMs }) => exactMs - madeMs));
  const closed = rounds.flatMap(({ watches, repairedMs }) =>
    watches.map(({ closedMs }) => closedMs - repairedMs),
  );
  const isInTime = (ms: number) => ms <= exactWithinMs;
  const all = exact.flat();
  const wrongMs = rounds.map(({ watches }) => watches.flatMap(wrongTimes));
  return [
    `${rounds.length} rounds, ${all.length} agents that could know`,
    `exactly right within ${seconds(exactWithinMs)}: ${share(all.filter(isInTime).length, all.length)} of the agents`,
    `all agents of the round exactly right within ${seconds(exactWithinMs)}: ${share(exact.filter((one) => one.every(isInTime)).length, rounds.length)}`,
    `seconds until exactly right: ${spread(all)}`,
    `rounds with a wrong finding: ${share(wrongMs.filter((one) => one.length > 0).length, rounds.length)}`,
    `longest wrong finding: ${seconds(Math.max(0, ...wrongMs.flat()))}`,
    `seconds of wrong findings: ${spread(wrongMs.flat())}`,
    `seconds from the repair to no finding: ${spread(closed)}`,
  ].join('\n');
}

/** What an agent said until it was right. */
function saidBy({ said, exactMs }: AgentWatch, madeMs: number): string {
  return said
    .filter(({ fromMs }) => fromMs <= exactMs)
    .map(({ ids, fromMs }) => `${ids || 'nothing'} (${seconds(fromMs - madeMs)})`)
    .join(', ');
}

function wrongTimes({ falseFindings }: AgentWatch): number[] {
  return falseFindings.map(({ fromMs, toMs }) => toMs - fromMs);
}
