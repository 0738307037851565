import type { Command } from 'commander';
import { formatAgentAddress } from '../../api/client/address.js';
import { clientOptionsFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { UsageError } from '../errors.js';
import { readingTools, sendingTools } from '../mcp/tool-names.js';

const reading = namesText(readingTools);
const sending = namesText(sendingTools);

const examples = `
Examples:
  meshprobe mcp                                        what a client starts; it is not for typing
  meshprobe mcp --allow-tests                          also ${sending}, which send packets
  meshprobe mcp -H tcp://10.0.0.7:4242 --token-file t  over TCP
  kubectl meshprobe mcp                                beside an agent of a Kubernetes cluster

A server of the Model Context Protocol (MCP) on standard input and output, for programs that help people:
register it in one as the command to start. It only reads, but for the tests that --allow-tests adds. Its
tools are ${reading}; its resources say what each kind of finding
means and what to do. docs/mcp.md tells more.
Exit codes: 0 the input has ended, 2 usage, 130 Ctrl-C.`;

interface McpOptions extends GlobalOptions {
  readonly allowTests?: boolean;
}

/** `meshprobe mcp`: a server of the Model Context Protocol on standard input and output. */
export function addMcpCommand(program: Command, io: ProgramIo): void {
  program
    .command('mcp')
    .description('serve what the agent knows to a client of the Model Context Protocol, on stdio')
    .option('--allow-tests', `also offer ${sending}, which send packets`)
    .addHelpText('after', examples)
    .action(async (_: unknown, command: Command) => {
      const { allowTests = false, ...options } = command.optsWithGlobals<McpOptions>();
      const agent = clientOptionsFor(options, io);
      if (allowTests && agent.address.kind !== 'unix') {
        throw new UsageError(
          `--allow-tests: expected only with the agent's unix socket, got ${formatAgentAddress(agent.address)}`,
        );
      }
      if (!io.stdin) throw new UsageError('expected a client on standard input, got nothing');
      const input = io.stdin();
      if ('isTTY' in input && input.isTTY === true) {
        io.stderr.write(
          'meshprobe: expects a client of the Model Context Protocol here; see --help\n',
        );
      }
      const { serveMcp } = await import('../mcp/serve.js');
      await serveMcp({
        agent,
        input,
        allowsTests: allowTests,
        output: io.stdout,
        signal: io.signal,
      });
      io.signal.throwIfAborted();
    });
}

/** `a, b and c` */
function namesText(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
