import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseDurationMs } from '../../api/duration.js';
import { throughputLimits } from '../../api/schema/v1/throughput-limits.js';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { UsageError } from '../errors.js';
import type { SetExitCode } from '../exit-codes.js';
import { nodeArgument } from '../node-argument.js';
import { printTest, testOutputOption } from '../path-test.js';
import { sizeReader } from '../size-option.js';
import { escapeJson } from '../view/data.js';
import { createThroughputView, renderThroughputTests } from '../view/throughput-text.js';

const examples = `
Examples:
  meshprobe throughput node7                  host plane and endpoint plane, there and back
  meshprobe throughput node7 --plane host     the host plane alone
  meshprobe throughput node7 --limit 10GB     on a fast network, where 100 MB pass in no time
  meshprobe throughput node7 -o json          one JSON object a line, as they come
  meshprobe throughput                        the last ten tests that this agent made

It fills the network: at most five seconds or 100 MB for each direction on each plane, one after the other.
Nobody does it but you. The agents of both nodes need the mesh key (--mesh-key-file), and each takes part in
one test at a time.
Exit codes: 0 the test was made, 1 it could not be made, 2 no such node, 3 no agent, 130 Ctrl-C, which
ends it on both ends.`;

const { seconds, bytes, streams } = throughputLimits;

interface ThroughputOptions extends GlobalOptions {
  readonly plane: 'host' | 'endpoint' | 'both';
  readonly for: number;
  readonly limit: number;
  readonly streams: number;
  readonly output: 'text' | 'json';
}

/** `meshprobe throughput [NODE]`: what gets through to a node, or the last tests. */
export function addThroughputCommand(
  program: Command,
  io: ProgramIo,
  setExitCode: SetExitCode,
): void {
  program
    .command('throughput')
    .addArgument(
      nodeArgument('[node]', 'the node, as NAME or CLUSTER/NAME; without it, the last tests'),
    )
    .description('measure what gets through to a node and back, now')
    .addOption(
      new Option('--plane <plane>', 'the plane to measure')
        .choices(['host', 'endpoint', 'both'])
        .default('both'),
    )
    .addOption(
      new Option('--for <duration>', 'at most so long for each direction on each plane')
        .argParser(readSeconds)
        .default(seconds.standard, `${seconds.standard}s`),
    )
    .addOption(
      new Option('--limit <size>', 'at most so much for each direction on each plane')
        .argParser(sizeReader(bytes.min, bytes.max, 'from 1MB to 10GB'))
        .default(bytes.standard, '100MB'),
    )
    .addOption(
      new Option('--streams <n>', 'TCP connections at the same time')
        .argParser(readStreams)
        .default(streams.standard),
    )
    .addOption(testOutputOption())
    .addHelpText('after', examples)
    .action(async (node: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ThroughputOptions>();
      const client = clientFor(options, io);
      const { plane, output } = options;
      if (node !== undefined) {
        const most = { seconds: options.for, bytes: options.limit, streams: options.streams };
        const lines = client.testThroughput({ node, plane, ...most });
        await printTest(lines, { output, render: createThroughputView() }, io, setExitCode);
        return;
      }
      const given = ['plane', 'for', 'limit', 'streams'].find(
        (name) => command.getOptionValueSource(name) === 'cli',
      );
      if (given !== undefined) {
        throw new UsageError(`--${given}: expected with a node to measure, got none`);
      }
      const tests = await client.throughputTests();
      io.stdout.write(
        output === 'json' ? `${escapeJson(JSON.stringify(tests))}\n` : renderThroughputTests(tests),
      );
    });
}

function readSeconds(text: string): number {
  const given = (parseDurationMs(text) ?? NaN) / 1000;
  if (given >= seconds.min && given <= seconds.max) return given;
  const expected = Number.isNaN(given) ? 'a duration such as 5s' : 'a duration from 100ms to 30s';
  throw new InvalidArgumentError(`Expected ${expected}.`);
}

function readStreams(text: string): number {
  const { min, max } = streams;
  const given = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
  if (given >= min && given <= max) return given;
  throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
}
