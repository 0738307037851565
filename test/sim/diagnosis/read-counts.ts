import { parseArgs } from 'node:util';

export interface Counts {
  /** How many to run. */
  readonly count: number;
  /** The seed of the first one; the others follow. */
  readonly seed: number;
}

/**
 * Reads `--count` and `--seed`; prints the help and returns undefined where it is asked for.
 * @throws RangeError that says what was expected and what was got
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
