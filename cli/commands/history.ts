import type { Command } from 'commander';
import { ApiError, isUnknownNode } from '../../api/client/api-error.js';
import { clientFor, sizeOf, type GlobalOptions, type ProgramIo } from '../context.js';
import { UsageError } from '../errors.js';
import { nodeArgument } from '../node-argument.js';
import { renderData, type OutputForm } from '../view/data.js';
import { renderHistory } from '../view/history-text.js';
import { outputOption } from './status.js';

const examples = `
Examples:
  meshprobe history node2          the last probes of every path of node2, drawn and in figures
  meshprobe history c1/node2       the same, with the cluster's name
  meshprobe history node2 -o json  every kept sample

A sparkline shows the round trips of its line between their smallest and largest value.
x is a failed probe, ~ is a tainted one: the agent had no CPU time while it measured, so the round trip
says nothing about the network.`;

/** `meshprobe history <node>`: the last probes of every path of one node. */
export function addHistoryCommand(program: Command, io: ProgramIo): void {
  program
    .command('history')
    .addArgument(nodeArgument('<node>', 'the node, as NAME or CLUSTER/NAME'))
    .description('show the last probes of a node')
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async (node: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { output: OutputForm }>();
      const history = await clientFor(options, io).history(node).catch(explain);
      const text =
        options.output === 'text'
          ? renderHistory(history, sizeOf(io.stdout).columns)
          : await renderData(history, options.output);
      io.stdout.write(text);
    });
}

/**
 * Turns the agent's error for an unknown node into a usage error. Any other error is thrown
 * unchanged.
 */
function explain(error: unknown): never {
  const isRefused = error instanceof ApiError && error.statusCode === 400;
  if (isRefused || isUnknownNode(error)) {
    throw new UsageError(`${error.serverMessage ?? ''} (meshprobe nodes lists them)`);
  }
  throw error;
}
