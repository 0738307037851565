import {
  exactTarget,
  exactWithinMs,
  longestWrongMs,
  wrongOf,
  wrongTarget,
  type TimelineFigures,
} from './figures.js';
import type { Round } from './run-round.js';
import { wrongMsOf, type AgentRecord, type WrongIn } from './watch.js';
import { seconds, share, spread } from './times-text.js';

/** The figures of all rounds, as lines. */
export function printTimeline(figures: TimelineFigures): string {
  const { rounds, exactAfterMs, exactWithLoneWitnessMs } = figures;
  const within = exactAfterMs.filter((ms) => ms <= exactWithinMs).length;
  const all = rounds.filter(isExactInTime).length;
  const wrong = rounds.flatMap(wrongOf).map(wrongMsOf);
  const in8S = `exactly right within ${seconds(exactWithinMs)}`;
  const wrongRounds = (way?: WrongIn) =>
    `${share(figures.wrongRounds(way).length, rounds.length)}, the longest ${seconds(figures.longestWrongMs(way))}`;
  return [
    `${rounds.length} rounds, ${exactAfterMs.length + exactWithLoneWitnessMs.length} agents that could know`,
    `${in8S}: ${share(within, exactAfterMs.length)} of the agents, target >= ${100 * exactTarget} %`,
    `all agents of a round ${in8S}: ${share(all, rounds.length)}`,
    `until exactly right: ${spread(exactAfterMs)}`,
    `the same where a single row tells of a fault, counted apart: ${spread(exactWithLoneWitnessMs)}`,
    ...Array.from(
      figures.undecidable,
      ([reason, agents]) => `undecidable, counted apart: ${agents} agents: ${reason}`,
    ),
    `rounds with a wrong finding: ${wrongRounds()}, target <= ${100 * wrongTarget} % and ${seconds(longestWrongMs)}`,
    `  its cause is none of the faults: ${wrongRounds('cause')}`,
    `  its direction is wrong: ${wrongRounds('direction')}`,
    `  it was repaired some time before: ${wrongRounds('repaired')}`,
    `wrong findings lasted: ${spread(wrong)}`,
    `faults that were named, then not, and then again: ${figures.flaps}`,
    `from the repair to no finding: ${spread(figures.closedAfterMs)}`,
    '',
    'from the begin of a fault until an agent named it:',
    ...byKind(figures.namedAfterMs),
    '',
    'from its end until an agent named it no more:',
    ...byKind(figures.unnamedAfterMs),
  ].join('\n');
}

function byKind(times: ReadonlyMap<string, readonly number[]>): string[] {
  return [...times]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, each]) => `  ${what.padEnd(54)}${spread(each)}`);
}

function isExactInTime({ agents }: Round): boolean {
  return agents.every((agent) => !isLate(agent));
}

/** A fault that a single row tells of has to last until it is believed, so it is never late. */
function isLate({ exactAfterMs = 0, hasLoneWitness }: AgentRecord): boolean {
  return exactAfterMs > exactWithinMs && !hasLoneWitness;
}

/** One line for a round in which something was wrong or late; undefined for a good one. */
export function printBadRound(round: Round): string | undefined {
  const { seed, nodes, zones, faults, agents } = round;
  const late = agents.filter(isLate);
  const wrong = wrongOf(round);
  if (late.length === 0 && wrong.length === 0) return undefined;
  const ids = [...new Set(wrong.map(({ name }) => name))];
  const longest = Math.max(0, ...wrong.map(wrongMsOf));
  const latest = Math.max(0, ...late.map(({ exactAfterMs = 0 }) => exactAfterMs));
  const knowing = agents.filter(({ exactAfterMs }) => exactAfterMs !== undefined).length;
  const made = faults.map(({ what, nodes: some }) => `${what} (${some.join(', ')})`);
  const notes = [
    late.length > 0
      ? `late at ${late.length} of ${knowing} agents, ${seconds(latest)} at most`
      : '',
    wrong.length > 0 ? `wrong for ${seconds(longest)} at most: ${ids.slice(0, 4).join(', ')}` : '',
  ].filter((note) => note !== '');
  return `seed ${seed}, ${nodes} nodes, ${zones} zones, ${made.join(' + ')}: ${notes.join('; ')}`;
}

/** What happened when, and what each agent said. */
export function printRound({ faults, restarts, agents }: Round): string[] {
  const events = [
    ...faults.flatMap(({ what, nodes, beginMs, overMs }) => [
      { atMs: beginMs, text: `${what} (${nodes.join(', ')}) begins` },
      { atMs: overMs, text: `${what} (${nodes.join(', ')}) is over` },
    ]),
    ...restarts.map(({ name, atMs }) => ({ atMs, text: `the agent of ${name} is restarted` })),
  ].sort((a, b) => a.atMs - b.atMs);
  return [
    ...events.map(({ atMs, text }) => `  ${seconds(atMs)} ${text}`),
    ...agents.flatMap((agent) => [
      `  ${agent.name} ${agent.exactAfterMs === undefined ? 'could not know' : `was exactly right after ${seconds(agent.exactAfterMs)}`}`,
      ...agent.said.map((said) => {
        const ways = Object.entries(said.wrongMs).filter(([, ms]) => ms > 0);
        const wrong = ways.map(([way, ms]) => `, wrong ${way} ${seconds(ms)}`).join('');
        return `    ${seconds(said.fromMs)} to ${seconds(said.toMs)}${wrong}: ${said.name}: ${said.text}`;
      }),
    ]),
  ];
}
