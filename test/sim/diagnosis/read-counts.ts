import { parseArgs } from 'node:util';

export interface Counts {
  /** The number of runs. */
  readonly count: number;
  /** The seed of the first run. The other runs use the seeds after it. */
  readonly seed: number;
}

/** Further options: texts, and flags without a value. */
type More = Readonly<
  Record<string, { readonly type: 'string' | 'boolean'; readonly default?: string }>
>;

type ValuesOf<M extends More> = {
  readonly [Name in Extract<keyof M, string>]?: M[Name]['type'] extends 'string' ? string : boolean;
};

/**
 * Reads `--count`, `--seed` and further options. For `--help` it prints the help and returns
 * undefined.
 * @throws RangeError with what was expected and what was got
 */
export function readCounts<M extends More>(
  argv: readonly string[],
  help: string,
  defaults: Counts,
  more?: M,
): (Counts & ValuesOf<M>) | undefined {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      ...more,
      count: { type: 'string', default: String(defaults.count) },
      seed: { type: 'string', default: String(defaults.seed) },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { count, seed, help: wantsHelp, ...rest } = values as Record<string, string | boolean>;
  if (wantsHelp === true) {
    process.stdout.write(help);
    return undefined;
  }
  return {
    ...(rest as ValuesOf<M>),
    count: readWholeNumber('--count', String(count)),
    seed: readWholeNumber('--seed', String(seed)),
  };
}

/** @throws RangeError with what was expected and what was got */
export function readWholeNumber(option: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new RangeError(`${option}: expected a whole number from 1 on, got ${JSON.stringify(text)}`);
}

/** @throws RangeError with what was expected and what was got */
export function readNumberWithin(option: string, text: string, from: number, to: number): number {
  const number = readWholeNumber(option, text);
  if (number >= from && number <= to) return number;
  throw new RangeError(`${option}: expected ${from} to ${to}, got ${number}`);
}

/** @throws RangeError with what was expected and what was got */
export function readChoice<T extends string>(
  option: string,
  text: string,
  choices: readonly T[],
): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new RangeError(
    `${option}: expected one of ${choices.join(', ')}, got ${JSON.stringify(text)}`,
  );
}

/** Prints a line on stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
