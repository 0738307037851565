import { Option, type Command } from 'commander';
import { ApiError, isUnknownNode } from '../api/client/api-error.js';
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
    .addOption(
      new Option('-o, --output <form>', 'text or json (one object a line)')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addHelpText('after', examples)
    .action(async (node: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<PathTestOptions>();
      const protocol: Protocol | undefined = options.tcp ? 'http' : undefined;
      const plane = options.endpoint ? 'endpoint' : 'host';
      const request = { node, plane, ...(protocol && { protocol }) } as const;
      try {
        for await (const { json, line } of clientFor(options, io).testPath(test, request)) {
          if (line?.type === 'error') setExitCode(exitCodes.unexpected);
          if (options.output === 'json') io.stdout.write(`${escapeJson(json)}\n`);
          else if (line?.type === 'error') io.stderr.write(`meshprobe: ${escapeText(line.text)}\n`);
          else if (line) io.stdout.write(render(line) ?? '');
        }
      } catch (error) {
        if (!isBusy(error)) explain(error);
        io.stderr.write(`meshprobe: ${escapeText(error.serverMessage ?? '')}\n`);
        setExitCode(exitCodes.unexpected);
      }
    });
}

function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && error.statusCode === 429;
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
