import { Argument, Option, type Command } from 'commander';
import type { TargetBody } from '../../api/schema/v1/targets.js';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { explainTarget, readTargetName } from '../target-argument.js';
import { paintFor } from '../view/colour.js';
import { renderData } from '../view/data.js';
import { renderTarget } from '../view/target-text.js';
import { targetsCsv } from '../view/targets-csv.js';
import { renderTargets } from '../view/targets-text.js';

interface TargetsOptions extends GlobalOptions {
  readonly output: 'text' | 'json' | 'yaml' | 'csv';
}

const examples = `
Examples:
  meshprobe targets                what the cluster lives on, one line a target and plane
  meshprobe targets cluster-dns    all that is known of one target
  meshprobe matrix --target cluster-dns --by node
                                   which nodes reach it, and which do not
  meshprobe targets -o json | jq -r '.targets[] | select(.verdict != "ok") | .name'

Every node probes every target, from the host and from the pod network. The state is that of this node;
"Reached from" counts all nodes that looked lately and, while some fail, since it began to fail. A node
that has not looked counts neither way. ok means that on each plane somebody looked and nobody fails.`;

/** `meshprobe targets [NAME]`: what the cluster lives on, and who reaches it. */
export function addTargetsCommand(program: Command, io: ProgramIo): void {
  program
    .command('targets')
    .addArgument(
      new Argument('[target]', 'all that is known of this one').argParser(readTargetName),
    )
    .description('show the targets (DNS, API server, services and your own), and who reaches them')
    .addOption(
      new Option('-o, --output <form>', 'text, json, yaml or csv')
        .choices(['text', 'json', 'yaml', 'csv'])
        .default('text'),
    )
    .addHelpText('after', examples)
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<TargetsOptions>();
      const client = clientFor(options, io);
      if (name === undefined) {
        const body = await client.targets();
        io.stdout.write(
          output === 'text'
            ? renderTargets(body, paintFor(io))
            : await renderOther(body, body.targets, output),
        );
        return;
      }
      const target = await client.target(name).catch(explainTarget);
      io.stdout.write(
        output === 'text'
          ? renderTarget(target, paintFor(io))
          : await renderOther(target, [target], output),
      );
    });
}

async function renderOther(
  body: object,
  targets: readonly TargetBody[],
  output: 'json' | 'yaml' | 'csv',
): Promise<string> {
  return output === 'csv' ? targetsCsv(targets) : renderData(body, output);
}
