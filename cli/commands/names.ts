import { Argument, type Command } from 'commander';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { readAllPages } from './nodes.js';

/** What shells take for a word. They expand others, and names come from the network. */
const plainName = /^[\w./-]{1,300}$/;

/** `meshprobe names KIND`: the names that a completion script offers, one a line. Help does not show it. */
export function addNamesCommand(program: Command, io: ProgramIo): void {
  program
    .command('names', { hidden: true })
    .addArgument(new Argument('<kind>').choices(['nodes', 'targets']))
    .action(async (kind: 'nodes' | 'targets', _: unknown, command: Command) => {
      const client = clientFor(command.optsWithGlobals<GlobalOptions>(), io);
      const listed =
        kind === 'nodes'
          ? (await readAllPages(client, undefined)).nodes
          : (await client.targets()).targets;
      const names = listed.map(({ name }) => name).filter((name) => plainName.test(name));
      io.stdout.write(names.map((name) => `${name}\n`).join(''));
    });
}
