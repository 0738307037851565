import type { Command } from 'commander';
import { clientFor, type ProgramIo, type GlobalOptions } from '../context.js';
import { renderData, type OutputForm } from '../view/data.js';
import { renderDaemonHealth } from '../view/daemon-health-text.js';
import { outputOption } from './status.js';

const examples = `
Examples:
  meshprobe get          uptime, load, plan and problems of the agent itself
  meshprobe get -o json  the same as JSON`;

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
      const healthz = await clientFor(options, io).daemonHealth();
      const text =
        options.output === 'text'
          ? renderDaemonHealth(healthz)
          : await renderData(healthz, options.output);
      io.stdout.write(text);
    });
}
