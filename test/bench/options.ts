import { parseArgs } from 'node:util';
import { formatValue } from '../../agent/platform/format-value.js';
import { measurementNames, measurements, type Measurement } from './measurements.js';

export interface Options {
  readonly only: ReadonlySet<Measurement>;
  readonly sizes: ReadonlySet<number>;
  readonly quick: boolean;
  readonly wantsHelp: boolean;
}

const allSizes = [10, 100, 1000, 5000];

export const help = `Usage: npm run bench -- [options]

Measures what the README promises: agents in a network namespace probe a cluster that another
namespace answers for. Needs root; figures are only as good as the machine is idle.

Options:
  --only NAME[,NAME]  these measurements and no others
  --sizes N[,N]       these cluster sizes and no others (default: ${allSizes.join(',')})
  --quick             fewer and shorter rounds: some 6 minutes in place of 22
  -h, --help          this text

Measurements:
${measurementNames.map((name) => `  ${name.padEnd(10)} ${measurements[name].title}\n`).join('')}
Example:
  npm run bench -- --only rtt,detection --quick
`;

/**
 * Reads the arguments.
 * @throws Error that says what was expected and what was got
 */
export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string', multiple: true },
      sizes: { type: 'string', multiple: true },
      quick: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const list = (given: readonly string[] | undefined): string[] | undefined =>
    given?.flatMap((text) => text.split(','));
  const only = list(values.only)?.map((name) => {
    const known = measurementNames.find((each) => each === name);
    if (known) return known;
    throw new Error(
      `--only: expected one of ${measurementNames.join(', ')}, got ${formatValue(name)}`,
    );
  });
  const sizes = list(values.sizes)?.map((text) => {
    const size = Number(text);
    if (allSizes.includes(size)) return size;
    throw new Error(`--sizes: expected some of ${allSizes.join(', ')}, got ${formatValue(text)}`);
  });
  const { quick = false } = values;
  return {
    // Turns take long, so a quick run measures a GET only on request.
    only: new Set(only ?? measurementNames.filter((name) => !(quick && name === 'get'))),
    sizes: new Set(sizes ?? allSizes),
    quick,
    wantsHelp: values.help ?? false,
  };
}
