import type { Command } from 'commander';
import { isUnknownNode } from '../../api/client/api-error.js';
import { isAbout, isOfCluster } from '../../api/schema/v1/finding-subject.js';
import type { Finding, Findings } from '../../api/schema/v1/findings.js';
import type { NodeEntry } from '../../api/schema/v1/nodes.js';
import type { Summary } from '../../api/schema/v1/summary.js';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { exitCodes, type SetExitCode } from '../exit-codes.js';
import { UsageError } from '../errors.js';
import { nodeArgument } from '../node-argument.js';
import { paintFor } from '../view/colour.js';
import { renderData, type OutputForm } from '../view/data.js';
import { renderDiagnosis } from '../view/diagnosis-text.js';
import { outputOption } from './status.js';

const examples = `
Examples:
  meshprobe diagnose             what is wrong with the cluster, and what to do next
  meshprobe why node7            what is wrong with one node
  meshprobe diagnose -o json | jq -r '.findings[].next[0]'

Exit codes: 0 nothing found, 4 something found or not known yet, 3 no agent.`;

/** `meshprobe diagnose [NODE]`: what is wrong with the cluster or one node, in words. */
export function addDiagnoseCommand(
  program: Command,
  io: ProgramIo,
  setExitCode: SetExitCode,
): void {
  program
    .command('diagnose')
    .alias('why')
    .addArgument(nodeArgument('[node]', 'only what concerns this node, as NAME or CLUSTER/NAME'))
    .description('say what is broken, since when, who sees it, and what to do next')
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async (name: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { output: OutputForm }>();
      const client = clientFor(options, io);
      const [all, summary, node] = await Promise.all([
        client.findings(),
        client.summary(),
        name === undefined ? undefined : client.node(name).catch(explainNode),
      ]);
      const isAsked = node ? (finding: Finding) => concerns(finding, node) : () => true;
      const findings = { ...all, findings: all.findings.filter(isAsked) };
      if (node) {
        delete findings.unexplained;
        delete findings.unexplainedTargets;
      }
      if (!isKnownWell(summary, node, findings)) setExitCode(exitCodes.notWell);
      if (options.output !== 'text') {
        io.stdout.write(await renderData(findings, options.output));
        return;
      }
      const { rows, columns } = io.stdout;
      io.stdout.write(
        renderDiagnosis(
          { findings, summary, ...(node && { node }) },
          { paint: paintFor(io), rows, columns },
        ),
      );
    });
}

/**
 * Whether nothing was found, and the agent knows enough to say so. A node may be well while the
 * cause of failing pairs elsewhere is not known yet.
 */
function isKnownWell(
  { verdict, unexplained = 0, unexplainedTargets = 0 }: Summary,
  node: NodeEntry | undefined,
  { findings }: Findings,
): boolean {
  if (findings.length > 0) return false;
  if (!node) return verdict === 'ok';
  const knowsCluster = verdict !== 'unknown' || unexplained + unexplainedTargets > 0;
  return knowsCluster && (node.verdict === 'ok' || node.verdict === 'excluded');
}

/** Turns the agent's error for an unknown node into a usage error. */
export function explainNode(error: unknown): never {
  if (isUnknownNode(error)) {
    throw new UsageError(`${error.serverMessage ?? ''} (meshprobe nodes lists them)`);
  }
  throw error;
}

/** Whether a finding is about a node, or about the whole cluster and so about each node. */
export function concerns(finding: Finding, node: NodeEntry): boolean {
  return isAbout(finding, node) || isOfCluster(finding);
}
