import { version, versionText } from '../../api/version.js';
import { UsageError } from '../errors.js';
import { exitCodes } from '../exit-codes.js';
import { escapeText } from '../view/escape.js';
import { readArguments, readPagePort } from './arguments.js';
import { findAgent } from './find-agent.js';
import { Kubectl } from './kubectl.js';
import { NoAgent } from './no-agent.js';
import { openPage } from './open-page.js';
import { runCommand, type PluginIo } from './run-command.js';

const help = `Usage: kubectl meshprobe [flags] COMMAND [arguments]

Runs a command of the meshprobe CLI beside a ready agent, and ends with its exit code.
The flags come before the command; all that follows is for the CLI.

Flags:
  --node NODE           ask the agent on that node (default: any that is ready)
  -n, --namespace NS    where the agents are (default: the only namespace that has any)
  --context, --kubeconfig, --cluster, --user, --as, --as-group, --request-timeout
                        as for kubectl
  -V, --version         the version of the plug-in
  -h, --help            this help

Commands:
  diagnose, status, matrix, events ...
                        as of the CLI: kubectl meshprobe help lists them, COMMAND --help says more
  page [--port PORT]    forward a port to the page of an agent and print its URL
  check [options]       check a cluster that has no meshprobe, and leave nothing: check --help

Examples:
  kubectl meshprobe diagnose                   what is broken, and what to do next?
  kubectl meshprobe --node node2 status        as node2 sees it
  kubectl meshprobe report --gzip - > report.json.gz
                                               one file with all that the agent knows
  kubectl meshprobe page --port 4242           the page at http://localhost:4242/
  kubectl meshprobe mcp                        for a client of the Model Context Protocol to start
  kubectl meshprobe check                      is the network of this cluster well?

Files are those of the agent's pod; - is standard input and output.
Exit codes: those of the CLI. 3 where no agent can be asked.
`;

/**
 * Runs the plug-in and resolves with the exit code. It never rejects.
 * @param manifests of `deploy/kubernetes`, for `check`
 */
export async function runPlugin(
  argv: readonly string[],
  io: PluginIo,
  manifests: Readonly<Record<string, string>>,
): Promise<number> {
  try {
    const asked = readArguments(argv);
    if (asked.isHelp) {
      io.stdout.write(help);
      return 0;
    }
    if (asked.isVersion) {
      io.stdout.write(`${versionText}\n`);
      return 0;
    }
    const [name, ...rest] = asked.command;
    if (name === undefined) {
      io.stderr.write(help);
      return exitCodes.usage;
    }
    if (name === 'check') {
      // It brings the schemas of what agents tell, which no other command needs.
      const { runCheck } = await import('./check/run-check.js');
      return await runCheck(asked, rest, { ...io, manifests, version });
    }
    const isPage = name === 'page';
    if (isPage && rest.some((word) => word === '--help' || word === '-h')) {
      io.stdout.write(help);
      return 0;
    }
    const port = isPage ? readPagePort(rest) : undefined;
    const kubectl = new Kubectl(asked.kubectlFlags, io.signal);
    const agent = await findAgent(kubectl, asked);
    return isPage
      ? await openPage(kubectl, agent, port, io)
      : await runCommand(kubectl, agent, asked.command, io);
  } catch (error) {
    if (error instanceof UsageError || error instanceof NoAgent) {
      io.stderr.write(`kubectl-meshprobe: ${escapeText(error.message)}\n`);
      return error instanceof UsageError ? exitCodes.usage : exitCodes.noAgent;
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.stderr.write(`kubectl-meshprobe: ${text}\n`);
    return exitCodes.unexpected;
  }
}
