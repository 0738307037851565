import type { Command } from 'commander';
import { isReadOnly } from '../../api/client/api-error.js';
import type { Client } from '../../api/client/client.js';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';

const examples = `
Examples:
  meshprobe ping && echo the agent is there
  meshprobe ping -H unix:///tmp/n1.sock --timeout 1s`;

/** `meshprobe ping`: checks that the agent answers. */
export function addPingCommand(program: Command, io: ProgramIo): void {
  program
    .command('ping')
    .description('check that the agent answers: OK, or the error and exit code 3')
    .addHelpText('after', examples)
    .action(async (_: unknown, command: Command) => {
      await ask(clientFor(command.optsWithGlobals<GlobalOptions>(), io));
      io.stdout.write('OK\n');
    });
}

/** Over TCP an agent tells nothing of itself but in its summary. */
async function ask(client: Client): Promise<void> {
  await client.daemonHealth().catch(async (error: unknown) => {
    if (!isReadOnly(error)) throw error;
    await client.summary();
  });
}
