import { Option, type Command } from 'commander';
import type { Client } from '../../api/client/client.js';
import type { NodePage, NodeVerdict } from '../../api/schema/v1/nodes.js';
import { nodeVerdicts } from '../../api/schema/v1/node-verdicts.js';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { readNotProbed } from '../not-probed.js';
import { explainQuery } from '../query-argument.js';
import { renderData, type OutputForm } from '../view/data.js';
import { renderNodes } from '../view/nodes-text.js';
import { outputOption } from './status.js';

/** What narrows the list. */
interface Filter {
  readonly state?: NodeVerdict | undefined;
  readonly zone?: string | undefined;
}

interface NodesOptions extends GlobalOptions, Filter {
  readonly output: OutputForm;
}

const examples = `
Examples:
  meshprobe nodes                  every node, one line each
  meshprobe nodes --state broken   only those that are broken
  meshprobe nodes --zone a         only those of one zone
  meshprobe nodes -o json | jq -r '.nodes[] | select(.verdict != "ok") | .name'

The verdict is ok, degraded, broken, unknown or excluded. "Seen by" counts the observers that reach the
node at all first addresses that they probe, of those whose rows tell of it: a row has room for 64 nodes that are
not well. The other columns are this agent's own round trips or states.
An agent over TCP answers too: meshprobe nodes -H tcp://127.0.0.1:4242 --token-file token`;

/** `meshprobe nodes`: the node list, with one line for each node. */
export function addNodesCommand(program: Command, io: ProgramIo): void {
  program
    .command('nodes')
    .description('list the nodes with their verdicts')
    .addOption(
      new Option('--state <verdict>', `only nodes that are ${nodeVerdicts.join(', ')}`).choices(
        nodeVerdicts,
      ),
    )
    .option('--zone <zone>', 'only the nodes of this zone')
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async (_: unknown, command: Command) => {
      const { state, zone, output, ...options } = command.optsWithGlobals<NodesOptions>();
      const client = clientFor(options, io);
      const page = await readAllPages(client, { state, zone }).catch(explainQuery);
      io.stdout.write(
        output === 'text'
          ? renderNodes(page.nodes, await readNotProbed(client))
          : await renderData(page, output),
      );
    });
}

/** The body as if all nodes were on one page. */
export async function readAllPages(
  client: Client,
  { state, zone }: Filter = {},
): Promise<NodePage> {
  const query = { ...(state !== undefined && { state }), ...(zone !== undefined && { zone }) };
  const { nextCursor: afterFirst, ...first } = await client.nodes(query);
  const nodes = [...first.nodes];
  for (let cursor = afterFirst; cursor !== undefined;) {
    const page = await client.nodes({ ...query, cursor });
    nodes.push(...page.nodes);
    // A page without a node cannot lead to the next one.
    cursor = page.nodes.length > 0 ? page.nextCursor : undefined;
  }
  return { ...first, nodes };
}
