import type { Command } from 'commander';
import { isReadOnly } from '../../api/client/api-error.js';
import type { Client } from '../../api/client/client.js';
import { clientFor, type ProgramIo, type GlobalOptions } from '../context.js';
import { renderData, type OutputForm } from '../view/data.js';
import { renderDaemonHealth, renderProblems } from '../view/daemon-health-text.js';
import { outputOption } from './status.js';

const examples = `
Examples:
  meshprobe get          uptime, load, plan and problems of the agent itself
  meshprobe get -o json  the same as JSON

Over TCP an agent tells its problems alone.`;

/** `meshprobe get`: the agent itself. */
export function addGetCommand(program: Command, io: ProgramIo): void {
  program
    .command('get')
    .aliases(['inspect', 'show'])
    .description('show the agent itself: uptime, load, plan and problems')
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { output: OutputForm }>();
      const client = clientFor(options, io);
      if (options.output !== 'text') {
        io.stdout.write(await renderData(await client.daemonHealth(), options.output));
        return;
      }
      const text = await client
        .daemonHealth()
        .then(renderDaemonHealth, (error: unknown) => problemsOverTcp(client, error));
      io.stdout.write(text);
    });
}

/** Over TCP an agent tells its problems alone, in its summary; an older one tells nothing. */
async function problemsOverTcp(client: Client, error: unknown): Promise<string> {
  if (!isReadOnly(error)) throw error;
  const summary = await client.summary().catch(() => undefined);
  if (summary?.problems === undefined) throw error;
  return renderProblems(summary.problems);
}
