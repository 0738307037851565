import { Command, CommanderError } from 'commander';
import { ApiError } from '../api/client/api-error.js';
import { versionText } from '../api/version.js';
import { addCheckCommand } from './commands/check.js';
import { addCompletionCommand } from './commands/completion.js';
import { addDiagnoseCommand } from './commands/diagnose.js';
import { addDiffCommand } from './commands/diff.js';
import { addEventsCommand } from './commands/events.js';
import { addFlowsCommand } from './commands/flows.js';
import { addGetCommand } from './commands/get.js';
import { addHistoryCommand } from './commands/history.js';
import { addMatrixCommand } from './commands/matrix.js';
import { addMcpCommand } from './commands/mcp.js';
import { addMtuCommand } from './commands/mtu.js';
import { addNamesCommand } from './commands/names.js';
import { addNodeCommand } from './commands/node.js';
import { addNodesCommand } from './commands/nodes.js';
import { addNoticesCommand } from './commands/notices.js';
import { addNotifyCommand } from './commands/notify.js';
import { addPingCommand } from './commands/ping.js';
import { addReportCommand } from './commands/report.js';
import { addStatusCommand } from './commands/status.js';
import { addTargetsCommand } from './commands/targets.js';
import { addThroughputCommand } from './commands/throughput.js';
import { addTraceCommand } from './commands/trace.js';
import { addWaitCommand } from './commands/wait.js';
import type { ProgramIo } from './context.js';
import { describeApiError, OutputError, UsageError } from './errors.js';
import { exitCodes, type SetExitCode } from './exit-codes.js';
import { escapeText } from './view/escape.js';

const examples = `
Examples:
  meshprobe diagnose                          what is broken, and what to do next?
  meshprobe status --succinct                 which node, which plane is broken?
  meshprobe history node2                     the last probes of a node, drawn and in figures
  meshprobe trace node2                       the hops to a node, now; so do mtu and flows
  meshprobe throughput node2                  what gets through to a node and back, in figures
  meshprobe report                            one file with all that the agent knows, for a bug report
  meshprobe status -H unix:///tmp/n1.sock     ask the agent on that socket
  MESHPROBE_SOCK=/tmp/n1.sock meshprobe get   the same by the environment
  meshprobe nodes -H https://mesh.example --ca ca.pem --token-file token
                                              ask through a proxy that speaks TLS, with the API token
  meshprobe COMMAND --help                    more of each command

report, status --probe, trace, mtu, flows, notify and throughput NODE need the agent's unix socket:
they do not work over tcp:// or https://, and get tells there the problems of the agent alone. The API
token is sent over these two alone, and over tcp:// it is not encrypted.

Exit codes: 0 ok, 1 unexpected, 2 usage, 3 agent unreachable or its answer invalid,
4 something found, not known yet, worse, timed out or not taken (diagnose, diff, wait, notify),
130 Ctrl-C.`;

/** Builds the CLI with its commands. It writes to the outputs of `io`. */
export function createProgram(io: ProgramIo, setExitCode: SetExitCode): Command {
  const program = new Command('meshprobe')
    .description('Shows what the meshprobe agent of this node knows of the cluster.')
    .version(versionText, '-V, --version')
    .option(
      '-H, --host <address>',
      'the agent: unix:///path, a path, tcp://host:port or https://host[:port] (default: MESHPROBE_SOCK, else unix:///var/run/meshprobe/health.sock)',
    )
    .option(
      '--token-file <file>',
      'a file with the API token for tcp:// and https:// (default: MESHPROBE_TOKEN_FILE)',
    )
    .option('--ca <file>', 'trust only the CA certificates (PEM) of this file for https://')
    .option(
      '--timeout <duration>',
      'how long the answer may take (default: 30s, and 2m with --probe)',
    )
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      // It repeats what was typed or pasted.
      writeErr: (text) => void io.stderr.write(text.split('\n').map(escapeText).join('\n')),
    })
    .showHelpAfterError('(meshprobe --help says more)')
    .exitOverride()
    .addHelpText('after', examples);
  addStatusCommand(program, io);
  addDiagnoseCommand(program, io, setExitCode);
  addNodesCommand(program, io);
  addNodeCommand(program, io);
  addTargetsCommand(program, io);
  addMatrixCommand(program, io);
  addHistoryCommand(program, io);
  addTraceCommand(program, io, setExitCode);
  addMtuCommand(program, io, setExitCode);
  addFlowsCommand(program, io, setExitCode);
  addThroughputCommand(program, io, setExitCode);
  addEventsCommand(program, io);
  addWaitCommand(program, io, setExitCode);
  addDiffCommand(program, io, setExitCode);
  addReportCommand(program, io);
  addNoticesCommand(program, io);
  addNotifyCommand(program, io, setExitCode);
  addMcpCommand(program, io);
  addCheckCommand(program, io);
  addGetCommand(program, io);
  addPingCommand(program, io);
  addCompletionCommand(program, io);
  addNamesCommand(program, io);
  addHelpCommand(program);
  for (const command of program.commands) {
    command
      .copyInheritedSettings(program)
      .configureHelp({ showGlobalOptions: true })
      .showHelpAfterError(`(meshprobe ${command.name()} --help says more)`);
  }
  return program;
}

/** `meshprobe help COMMAND`. The one that commander adds shows all commands for a name that is none. */
function addHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .argument('[command]')
    .description('display help for command')
    .action((name: string | undefined) => {
      if (name === undefined) program.help();
      const isNamed = (one: Command) => one.name() === name || one.aliases().includes(name);
      const command = program.commands.find(isNamed);
      if (!command) throw new UsageError(`unknown command ${name} (see --help)`);
      command.help();
    });
}

/** Runs the CLI and resolves with the exit code. It never rejects. */
export async function runProgram(argv: readonly string[], io: ProgramIo): Promise<number> {
  let exitCode = 0;
  try {
    await createProgram(io, (code) => (exitCode = code)).parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (io.signal.aborted) return exitCodes.interrupted;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    if (error instanceof UsageError) {
      io.stderr.write(`meshprobe: ${escapeText(error.message)}\n`);
      return exitCodes.usage;
    }
    if (error instanceof ApiError) {
      const isUsage = error.kind === 'read-only';
      io.stderr.write(`meshprobe: ${describeApiError(error)}\n`);
      return isUsage ? exitCodes.usage : exitCodes.noAgent;
    }
    if (error instanceof OutputError) {
      io.stderr.write(`meshprobe: ${escapeText(error.message)}\n`);
      return exitCodes.unexpected;
    }
    io.stderr.write(
      `meshprobe: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return exitCodes.unexpected;
  }
}
