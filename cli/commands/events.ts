import { InvalidArgumentError, Option, type Command } from 'commander';
import { isUnknownNode } from '../../api/client/api-error.js';
import type { Client } from '../../api/client/client.js';
import type { ReceivedEvent } from '../../api/client/events.js';
import { eventTypes, type EventType } from '../../api/schema/v1/event-types.js';
import { isEventOf, type KnownNode } from '../../api/schema/v1/event-of-node.js';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { UsageError } from '../errors.js';
import { fullName, readNodeName } from '../node-argument.js';
import { paintFor } from '../view/colour.js';
import { escapeJson } from '../view/data.js';
import { escapeText } from '../view/escape.js';
import { renderEvent } from '../view/event-text.js';

interface EventsOptions extends GlobalOptions {
  readonly follow?: boolean;
  readonly after?: string;
  readonly node?: string;
  readonly type?: readonly EventType[];
  readonly output: 'text' | 'json';
}

const examples = `
Examples:
  meshprobe events                      the last changes that the agent keeps
  meshprobe events --follow             those and every new one, until Ctrl-C
  meshprobe events --node node7         what happened to one node: its paths, findings, lifecycle
  meshprobe events --type change        what changed on hosts: MTU, routes, addresses, restarts
  meshprobe events --type finding --type change  findings, and what changed before them
  meshprobe events --after 812 -o json  what came after event 812, one JSON object a line

--follow reconnects when the agent restarts, and resumes after the last event.`;

/** `meshprobe events`: what changed, with one change on each line. */
export function addEventsCommand(program: Command, io: ProgramIo): void {
  program
    .command('events')
    .description('show what changed: states of paths and targets, findings, nodes, hosts, routes')
    .option('-f, --follow', 'wait for new events until Ctrl-C')
    .option('--after <id>', 'only events with a higher id')
    .option(
      '--node <name>',
      'only events of this node (NAME or CLUSTER/NAME), and findings of its pairs, zone and groups',
      readNodeName,
    )
    .addOption(
      new Option('--type <type>', 'only events of this type; may be given again')
        .choices(eventTypes)
        .argParser(collectType),
    )
    .addOption(
      new Option('-o, --output <form>', 'text or json (one object a line)')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addHelpText('after', examples)
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<EventsOptions>();
      const paint = paintFor(io);
      const client = clientFor(options, io);
      const { isWanted, unknown } =
        options.node === undefined ? { isWanted: () => true } : await ofNode(client, options.node);
      if (unknown && options.follow === true) io.stderr.write(unknown.note);
      let shown = 0;
      const events = client.events({
        after: readId(options.after),
        follow: options.follow ?? false,
        types: options.type ?? [],
        onReconnect: (reason) =>
          io.stderr.write(`meshprobe: ${escapeText(reason)}, trying again\n`),
      });
      for await (const received of events) {
        if (!isWanted(received)) continue;
        shown++;
        const { json, event } = received;
        if (options.output === 'json') io.stdout.write(`${escapeJson(json)}\n`);
        else if (event) io.stdout.write(renderEvent(event, paint));
      }
      // Who follows was told at the beginning.
      if (!unknown || options.follow === true) return;
      if (shown === 0) throw new UsageError(unknown.error);
      io.stderr.write(unknown.note);
    });
}

function collectType(type: string, types: readonly EventType[] = []): EventType[] {
  const known = eventTypes.find((one) => one === type);
  if (known) return [...types, known];
  throw new InvalidArgumentError(`expected one of ${eventTypes.join(', ')}`);
}

function readId(text = '0'): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(id)) return id;
  throw new UsageError(
    `--after: expected the id of an event, got ${JSON.stringify(text.slice(0, 100))}`,
  );
}

interface EventsOfNode {
  readonly isWanted: (event: ReceivedEvent) => boolean;
  /** What is said where the agent has no such node: beside its events, and where there are none. */
  readonly unknown?: { readonly note: string; readonly error: string };
}

/**
 * Tells the events of a node. A node that has left the list still has events, so an unknown name alone is
 * no error.
 */
async function ofNode(client: Client, name: string): Promise<EventsOfNode> {
  const { node: local } = await client.summary();
  const full = fullName(name, local);
  const known = await client.node(full).catch((error: unknown) => {
    if (isUnknownNode(error)) return error;
    throw error;
  });
  if (!isUnknownNode(known)) return { isWanted: isOfNode(known) };
  const note = `meshprobe: there is no node ${escapeText(full)} now\n`;
  const error = `${known.serverMessage ?? known.message} (meshprobe nodes lists them), and no event of it is kept`;
  return { isWanted: isOfNode({ name: full }), unknown: { note, error } };
}

function isOfNode(node: KnownNode): (event: ReceivedEvent) => boolean {
  return ({ event }) => event !== undefined && isEventOf(event, node);
}
