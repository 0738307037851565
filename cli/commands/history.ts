import type { Command } from 'commander';
import { ApiError } from '../../api/client/api-error.js';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { UsageError } from '../errors.js';
import { renderData, type OutputForm } from '../view/data.js';
import { renderHistory } from '../view/history-text.js';
import { outputOption } from './status.js';

const examples = `
Examples:
  meshprobe history node2          the last probes of every path of node2, drawn and in figures
  meshprobe history c1/node2       the same, with the cluster's name
  meshprobe history node2 -o json  every kept sample

A sparkline shows the round trips of its line between their smallest and largest value.
x is a failed probe, ~ is a tainted one: the agent was kept from running while it measured.`;

/** `meshprobe history <node>`: the last probes of every path of one node. */
export function addHistoryCommand(program: Command, io: ProgramIo): void {
  program
    .command('history')
    .argument('<node>', 'the node, as NAME or CLUSTER/NAME')
    .description('show the last probes of a node')
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async (node: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { output: OutputForm }>();
      const history = await clientFor(options, io).history(node).catch(explain);
      const text =
        options.output === 'text'
          ? renderHistory(history)
          : await renderData(history, options.output);
      io.stdout.write(text);
    });
}

/**
 * Turns the agent's error for an unknown node into a usage error. Any other error is thrown
 * unchanged.
 */
function explain(error: unknown): never {
  const { statusCode, serverMessage: words = '' } = error instanceof ApiError ? error : {};
  const isAboutName = statusCode === 400 || words.startsWith('there is no node');
  if (isAboutName) throw new UsageError(`${words} (meshprobe status --succinct lists them)`);
  throw error;
}
