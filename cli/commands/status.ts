import { Option, type Command } from 'commander';
import { isUnknownNode } from '../../api/client/api-error.js';
import type { Client } from '../../api/client/client.js';
import type { Status } from '../../api/schema/status.js';
import { clientFor, type ProgramIo, type GlobalOptions } from '../context.js';
import { UsageError } from '../errors.js';
import { fullName, nodeArgument } from '../node-argument.js';
import { readNotProbed } from '../not-probed.js';
import { renderCiliumStatus } from '../view/cilium-status.js';
import { renderData, type OutputForm } from '../view/data.js';
import { escapeText } from '../view/escape.js';
import { flowsLines } from '../view/flows-text.js';
import { hopsLine } from '../view/hops-text.js';
import { largeLines } from '../view/large-text.js';
import { verdictText } from '../view/node-text.js';
import { showProgress } from '../view/progress.js';
import { renderStatus } from '../view/status-text.js';
import { renderSuccinct } from '../view/succinct.js';
import { udpLines } from '../view/udp-text.js';

interface StatusOptions extends GlobalOptions {
  readonly probe?: boolean;
  readonly succinct?: boolean;
  readonly verbose?: boolean;
  readonly output: OutputForm;
  readonly format?: 'cilium';
}

/**
 * A budget limits the rate of probes, so a sweep of twenty thousand takes long. The probes that
 * confirm failures come on top.
 */
const probeTimeout = '2m';

const examples = `
Examples:
  meshprobe status                     every path of every node
  meshprobe status node7               every path of one node, and how many observers reach it
  meshprobe status --succinct          one line a node
  meshprobe status --probe --succinct  probe everything now, then one line a node
  meshprobe status --format cilium     as cilium-health 1.17 to 1.20; without it, as 1.16 and older
  meshprobe status -o json | jq '.nodes[] | select(.host["primary-address"].icmp.status)'`;

/** `meshprobe status`: what the agent knows of every path. */
export function addStatusCommand(program: Command, io: ProgramIo): void {
  program
    .command('status')
    .alias('connectivity')
    .addArgument(nodeArgument('[node]', 'only this node, as NAME or CLUSTER/NAME'))
    .description('show what the agent knows of every node, or of one')
    .option('--probe', 'probe every path now, then show the fresh results')
    .option('--succinct', 'one line a node')
    .option('--verbose', 'the plan, secondary addresses, phases, percentiles and losses too')
    .addOption(outputOption())
    .addOption(
      new Option('--format <format>', 'the text as cilium-health 1.17 to 1.20 prints it').choices([
        'cilium',
      ]),
    )
    .addHelpText('after', examples)
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<StatusOptions>();
      if (options.format && options.output !== 'text') {
        throw new UsageError(
          `--format ${options.format} is a form of text: expected no -o or -o text, got -o ${options.output}`,
        );
      }
      const timeout = options.timeout ?? (options.probe ? probeTimeout : undefined);
      const client = clientFor({ ...options, ...(timeout !== undefined && { timeout }) }, io);
      const { succinct = false, verbose = false } = options;
      const asked = { isBrief: options.output === 'text' && !verbose };
      const all = options.probe
        ? await showProgress(io.stderr, 'Probing every path', client.probe(asked))
        : await client.status(asked);
      const status = name === undefined ? all : await onlyNode(all, name, client);
      if (options.output !== 'text') {
        io.stdout.write(await renderData(status, options.output));
        return;
      }
      if (options.format === 'cilium') {
        io.stdout.write(renderCiliumStatus(status, { verbose }));
        return;
      }
      const text =
        succinct && !verbose ? renderSuccinct(status) : renderStatus(status, { verbose });
      const [only] = name === undefined ? [] : status.nodes;
      io.stdout.write(
        text +
          (only ? await verdictLine(client, only.name) : '') +
          (await unlistedLine(client, all)) +
          findingsLine(all),
      );
    });
}

/**
 * The status with one node.
 * @throws UsageError if the agent knows no such node
 */
async function onlyNode(status: Status, name: string, client: Client): Promise<Status> {
  const full = fullName(name, status.local.name);
  const nodes = status.nodes.filter((node) => node.name === full);
  if (nodes.length > 0) return { ...status, nodes };
  // The agent of /v1 knows which name was probably meant.
  const said: unknown = await client.node(full).catch((error: unknown) => error);
  const words = isUnknownNode(said) ? said.serverMessage : undefined;
  throw new UsageError(`${words ?? `there is no node ${name}`} (meshprobe nodes lists them)`);
}

/** What all observers together see of a node. An agent of Cilium cannot say it. */
async function verdictLine(client: Client, name: string): Promise<string> {
  const [entry, notProbed] = await Promise.all([
    client.node(name).catch(() => undefined),
    readNotProbed(client),
  ]);
  return entry
    ? `${verdictText(entry, notProbed)}\n${hopsLine(entry)}${largeLines(entry)}${flowsLines(entry)}${udpLines(entry)}`
    : '';
}

/**
 * Says that the agent's own node is not in its node list: nobody probes it, nor hears its row. The agent
 * knows the name that was probably meant; one of Cilium does not.
 */
async function unlistedLine(client: Client, { local, nodes }: Status): Promise<string> {
  if (nodes.length === 0 || nodes.some(({ name }) => name === local.name)) return '';
  const health = await client.daemonHealth().catch(() => undefined);
  const problem = health?.['problem-details']?.find(({ code }) => code === 'local-node');
  const text = problem?.text ?? `this agent's node ${local.name} is not in the node list`;
  return `${escapeText(text.charAt(0).toUpperCase() + text.slice(1))}: meshprobe diagnose\n`;
}

/** Names the command that explains the findings, if there are any. */
function findingsLine({ findings = 0 }: Status): string {
  if (findings === 0) return '';
  return `${findings} finding${findings === 1 ? '' : 's'}: meshprobe diagnose\n`;
}

/** `-o text|json|yaml`, shared by the commands that print a body of the API. */
export function outputOption(): Option {
  return new Option('-o, --output <form>', 'text, json or yaml')
    .choices(['text', 'json', 'yaml'])
    .default('text');
}
