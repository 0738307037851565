import { parseArgs } from 'node:util';

export interface Counts {
  /** The number of runs. */
  readonly count: number;
  /** The seed of the first run. The other runs use the seeds after it. */
  readonly seed: number;
}

/**
 * Reads `--count` and `--seed`. For `--help` it prints the help and returns undefined.
 * @throws RangeError with what was expected and what was got
 */
export function readCounts(
  argv: readonly string[],
  help: string,
  defaults: Counts,
): Counts | undefined {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      count: { type: 'string', default: String(defaults.count) },
      seed: { type: 'string', default: String(defaults.seed) },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return undefined;
  }
  return { count: wholeNumber('--count', values.count), seed: wholeNumber('--seed', values.seed) };
}

function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new RangeError(`${option}: expected a whole number from 1 on, got ${JSON.stringify(text)}`);
}
