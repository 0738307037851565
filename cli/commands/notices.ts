import { Option, type Command } from 'commander';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { renderData } from '../view/data.js';
import { renderNotices } from '../view/notices-text.js';

const examples = `
Examples:
  meshprobe notices          who is told of findings, and what was told, the newest first
  meshprobe notices -o json  the same as JSON

The list has what this agent sent, with the answer of the receiver, and what other agents told since this
one started. "told" is what another agent sent, "failed" is tried again, "given-up" was tried for an hour.`;

/** `meshprobe notices`: what was told of findings, and to whom. */
export function addNoticesCommand(program: Command, io: ProgramIo): void {
  program
    .command('notices')
    .description('show who is told of findings, and what was told')
    .addOption(
      new Option('-o, --output <form>', 'text, json or yaml')
        .choices(['text', 'json', 'yaml'])
        .default('text'),
    )
    .addHelpText('after', examples)
    .action(async (_: unknown, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<
        GlobalOptions & { output: 'text' | 'json' | 'yaml' }
      >();
      const body = await clientFor(options, io).notices();
      io.stdout.write(output === 'text' ? renderNotices(body) : await renderData(body, output));
    });
}
