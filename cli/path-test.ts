import { Option, type Command } from 'commander';
import { ApiError, isUnknownNode } from '../api/client/api-error.js';
import type { ReceivedLine } from '../api/client/path-tests.js';
import type { PathTestLines, PathTestName } from '../api/schema/v1/path-tests.js';
import type { Protocol } from '../api/schema/v1/fields.js';
import { clientFor, type GlobalOptions, type ProgramIo } from './context.js';
import { UsageError } from './errors.js';
import { exitCodes, type SetExitCode } from './exit-codes.js';
import { nodeArgument } from './node-argument.js';
import { escapeJson } from './view/data.js';
import { escapeText } from './view/escape.js';

export interface PathTestCommand<Test extends PathTestName> {
  readonly test: Test;
  readonly description: string;
  readonly examples: string;
  /** Writes one line of the test; undefined for nothing. */
  readonly render: (line: PathTestLines[Test]) => string | undefined;
  /** Also takes `--tcp`. */
  readonly canUseTcp?: boolean;
}

interface PathTestOptions extends GlobalOptions {
  readonly endpoint?: boolean;
  readonly tcp?: boolean;
  readonly output: 'text' | 'json';
}

/** Adds a command that makes the agent test a path, and prints what it says as it comes. */
export function addPathTestCommand<Test extends PathTestName>(
  program: Command,
  { test, description, examples, render, canUseTcp = false }: PathTestCommand<Test>,
  io: ProgramIo,
  setExitCode: SetExitCode,
): void {
  const command = program
    .command(test)
    .addArgument(nodeArgument('<node>', 'the node, as NAME or CLUSTER/NAME'))
    .description(description)
    .option('--endpoint', "the node's health endpoint on the pod network, not the node itself");
  if (canUseTcp) command.option('--tcp', 'by TCP to the probe port, not by ICMP echo');
  command
    .addOption(testOutputOption())
    .addHelpText('after', examples)
    .action(async (node: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<PathTestOptions>();
      const protocol: Protocol | undefined = options.tcp ? 'http' : undefined;
      const plane = options.endpoint ? 'endpoint' : 'host';
      const request = { node, plane, ...(protocol && { protocol }) } as const;
      const lines = clientFor(options, io).testPath(test, request);
      await printTest(lines, { render, output: options.output }, io, setExitCode);
    });
}

/** The option of how a test is printed. */
export function testOutputOption(): Option {
  return new Option('-o, --output <form>', 'text or json (one object a line)')
    .choices(['text', 'json'])
    .default('text');
}

export interface TestPrinting<Line> {
  readonly output: 'text' | 'json';
  /** Writes one line of the test; undefined for nothing. */
  readonly render: (line: Line) => string | undefined;
}

/** A line of any test. The text of an error is of the agent. */
type AnyLine = { readonly type: string; readonly text?: unknown };

/**
 * Prints what a test says as it comes.
 * @throws UsageError where the agent says that it was asked for something else than a test of a node
 */
export async function printTest<Line extends AnyLine>(
  lines: AsyncIterable<ReceivedLine<Line>>,
  { output, render }: TestPrinting<Line>,
  io: ProgramIo,
  setExitCode: SetExitCode,
): Promise<void> {
  try {
    for await (const { json, line } of lines) {
      const isError = line?.type === 'error';
      if (isError) setExitCode(exitCodes.unexpected);
      if (output === 'json') io.stdout.write(`${escapeJson(json)}\n`);
      else if (isError) io.stderr.write(`meshprobe: ${escapeText(String(line.text))}\n`);
      else if (line) io.stdout.write(render(line) ?? '');
    }
  } catch (error) {
    if (!isRefused(error)) explain(error);
    io.stderr.write(`meshprobe: ${escapeText(error.serverMessage ?? '')}\n`);
    setExitCode(exitCodes.unexpected);
  }
}

/** The agent makes no such test, or not now. */
function isRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && [403, 409, 429].includes(error.statusCode ?? 0);
}

/** Turns what the agent says of the arguments into a usage error. Any other error is thrown unchanged. */
function explain(error: unknown): never {
  if (isUnknownNode(error)) {
    throw new UsageError(`${error.serverMessage ?? ''} (meshprobe nodes lists them)`);
  }
  if (error instanceof ApiError && error.statusCode === 400) {
    throw new UsageError(error.serverMessage ?? error.message);
  }
  throw error;
}
