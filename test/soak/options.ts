import { parseArgs } from 'node:util';
import { formatValue } from '../../agent/platform/format-value.js';

export interface Options {
  readonly agents: number;
  /** For how long faults are made. */
  readonly runMs: number;
  readonly seed: number;
  /** The folder of the results; undefined for the usual one. */
  readonly out: string | undefined;
  readonly wantsHelp: boolean;
}

const minuteMs = 60_000;
const longestMinutes = 48 * 60;

export const help = `Usage: npm run soak -- [options]

Runs real agents in network namespaces for long, with faults, restarts, changes of the node list and
readers, and measures whether anything of an agent grows. Needs root, iproute2 and nftables. A Prometheus
scrapes the agents too where the command prometheus is there.

Options:
  --agents N     hosts, each with an agent and an endpoint, 3 to 200 (default: 30)
  --hours H      how long faults are made (default: 1)
  --minutes M    the same in minutes, 1 to ${longestMinutes}
  --seed S       faults and readers are chosen by this number (default: 1)
  --out FOLDER   where the figures go (default: bench/results/soak-DATE)
  -h, --help     this text

Before it the agents start, after it come at most 12 minutes for findings to close. A lossy link takes ten
minutes to close, so it comes only where as much is left. Memory has a slope after 5 minutes at the earliest.

Exit codes:
  0    nothing grows, and no finding is open at the end
  1    something grows beyond its error and its bound, was not measured, a finding stays open, or an
       agent ended
  2    bad options, or it cannot run here
  130  ended by Ctrl-C (143 by SIGTERM); what was measured until then is printed

Examples:
  npm run soak -- --agents 30 --hours 1
  npm run soak -- --agents 6 --minutes 2 --seed 7 --out soak-results
`;

/**
 * Reads the arguments.
 * @throws Error that says what was expected and what was got
 */
export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      agents: { type: 'string' },
      hours: { type: 'string' },
      minutes: { type: 'string' },
      seed: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.hours !== undefined && values.minutes !== undefined)
    throw new Error('expected one of --hours and --minutes, got both');
  const minutes =
    values.minutes === undefined
      ? 60 * numberOf('--hours', values.hours ?? '1', 1 / 60, longestMinutes / 60)
      : numberOf('--minutes', values.minutes, 1, longestMinutes);
  if (values.out === '') throw new Error('--out: expected a folder, got ""');
  return {
    agents: wholeNumberOf('--agents', values.agents ?? '30', 3, 200),
    runMs: minutes * minuteMs,
    seed: wholeNumberOf('--seed', values.seed ?? '1', 0, 2 ** 31 - 1),
    out: values.out,
    wantsHelp: values.help ?? false,
  };
}

function wholeNumberOf(flag: string, text: string, least: number, most: number): number {
  const number = numberOf(flag, text, least, most);
  if (Number.isInteger(number)) return number;
  throw new Error(`${flag}: expected a whole number, got ${formatValue(text)}`);
}

function numberOf(flag: string, text: string, least: number, most: number): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  // A minute in hours has no short decimal form.
  if (number >= least - 1e-3 && number <= most) return number;
  const bounds = `${Math.round(least * 1000) / 1000} to ${most}`;
  throw new Error(`${flag}: expected ${bounds}, got ${formatValue(text)}`);
}
