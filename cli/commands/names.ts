import { Argument, type Command } from 'commander';
import type { Client } from '../../api/client/client.js';
import { findingKinds } from '../../api/schema/v1/finding-kinds.js';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { fullName } from '../node-argument.js';
import { readAllPages } from './nodes.js';

/** What shells take for a word. They expand others, and names come from the network. */
const plainName = /^[\w./-]{1,300}$/;

const nameKinds = ['nodes', 'targets', 'zones', 'labels', 'kinds'] as const;
type NameKind = (typeof nameKinds)[number];

/** `meshprobe names KIND`: the names that a completion script offers, one a line. Help does not show it. */
export function addNamesCommand(program: Command, io: ProgramIo): void {
  program
    .command('names', { hidden: true })
    .addArgument(new Argument('<kind>').choices(nameKinds))
    .action(async (kind: NameKind, _: unknown, command: Command) => {
      const client = () => clientFor(command.optsWithGlobals<GlobalOptions>(), io);
      const names = (await readNames(kind, client)).filter((name) => plainName.test(name));
      io.stdout.write(names.map((name) => `${name}\n`).join(''));
    });
}

async function readNames(kind: NameKind, client: () => Client): Promise<readonly string[]> {
  switch (kind) {
    case 'nodes': {
      const [{ nodes }, { node: local }] = await Promise.all([
        readAllPages(client()),
        client().summary(),
      ]);
      const names = nodes.map(({ name }) => name);
      return [...names.flatMap((name) => shortName(name, local)), ...names];
    }
    case 'targets':
      return (await client().targets()).targets.map(({ name }) => name);
    case 'zones': {
      const { nodes } = await readAllPages(client());
      return [...new Set(nodes.map(({ zone = '' }) => zone))].sort();
    }
    case 'labels': {
      const { groupBy = [] } = await client().summary();
      return [...new Set(['zone', 'node', ...groupBy])];
    }
    case 'kinds':
      return findingKinds;
  }
}

/** A name without its cluster, by which only nodes of the agent's own cluster are known. */
function shortName(name: string, local: string): string[] {
  const short = name.slice(name.indexOf('/') + 1);
  return fullName(short, local) === name ? [short] : [];
}
