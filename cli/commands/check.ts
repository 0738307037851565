import { Option, type Command } from 'commander';
import { agentPart } from '../agent-part.js';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { UsageError } from '../errors.js';
import { renderData } from '../view/data.js';

interface CheckOptions extends GlobalOptions {
  readonly ofAgent?: 'progress' | 'all';
}

const forKubernetes = `check is for a Kubernetes cluster without meshprobe: kubectl meshprobe check, from where kubectl reaches it. On hosts, install meshprobe-agent on each, then: meshprobe wait, meshprobe diagnose`;

const more = `
It installs meshprobe on a Kubernetes cluster that has none, probes everything, says what it found, and
removes all that it made. It is a command of the plug-in of kubectl:

  kubectl meshprobe check --help

On hosts without Kubernetes nothing is installed for you. Start meshprobe-agent on each with the same nodes
file, then ask one of them: meshprobe wait --for 30s, meshprobe diagnose.`;

/** `meshprobe check`: says where the check is. Agents that a check has installed are asked by a hidden flag. */
export function addCheckCommand(program: Command, io: ProgramIo): void {
  program
    .command('check')
    .description('check a Kubernetes cluster that has no meshprobe: kubectl meshprobe check')
    .addOption(new Option('--of-agent <what>').choices(['progress', 'all']).hideHelp())
    .addHelpText('after', more)
    .action(async (_: unknown, command: Command) => {
      const { ofAgent, ...options } = command.optsWithGlobals<CheckOptions>();
      if (ofAgent === undefined) throw new UsageError(forKubernetes);
      const part = await agentPart(clientFor(options, io), ofAgent === 'all');
      io.stdout.write(await renderData(part, 'json'));
    });
}
