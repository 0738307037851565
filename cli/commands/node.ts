import type { Command } from 'commander';
import { isAbout } from '../../api/schema/v1/finding-subject.js';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { nodeArgument } from '../node-argument.js';
import { readNotProbed } from '../not-probed.js';
import { paintFor } from '../view/colour.js';
import { renderData, type OutputForm } from '../view/data.js';
import { renderNode } from '../view/node-text.js';
import { explainNode } from './diagnose.js';
import { outputOption } from './status.js';

const examples = `
Examples:
  meshprobe node node7            who reaches it, the paths to it, what its host shows, what is found
  meshprobe node node7 -o json | jq -r '.signs[]?.text'

A sign is a counter or a table of its host that is bad by a stated rule, as its own agent read it: the table of
connections is full, packets are dropped. It says nothing of causes. "When it says ..." explains each of them
(docs/when-it-says.md). Where no sign is shown, its agent told of none, or tells nothing of its host.`;

/** `meshprobe node NODE`: all that is known of one node. */
export function addNodeCommand(program: Command, io: ProgramIo): void {
  program
    .command('node')
    .addArgument(nodeArgument('<node>', 'the node, as NAME or CLUSTER/NAME'))
    .description('show all that is known of one node: its paths, signs of its host, findings')
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async (name: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { output: OutputForm }>();
      const client = clientFor(options, io);
      const [node, { findings }, notProbed] = await Promise.all([
        client.node(name).catch(explainNode),
        client.findings(),
        readNotProbed(client),
      ]);
      io.stdout.write(
        options.output === 'text'
          ? renderNode(
              node,
              findings.filter((finding) => isAbout(finding, node)),
              notProbed,
              paintFor(io),
            )
          : await renderData(node, options.output),
      );
    });
}
