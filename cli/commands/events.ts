import { Option, type Command } from 'commander';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { UsageError } from '../errors.js';
import { paintFor } from '../view/colour.js';
import { escapeJson } from '../view/data.js';
import { escapeText } from '../view/escape.js';
import { renderEvent } from '../view/event-text.js';

interface EventsOptions extends GlobalOptions {
  readonly follow?: boolean;
  readonly after?: string;
  readonly output: 'text' | 'json';
}

const examples = `
Examples:
  meshprobe events                      the last changes that the agent keeps
  meshprobe events --follow             those and every new one, until Ctrl-C
  meshprobe events --after 812 -o json  what came after event 812, one JSON object a line

--follow reconnects when the agent restarts, and resumes after the last event.`;

/** `meshprobe events`: what changed, with one change on each line. */
export function addEventsCommand(program: Command, io: ProgramIo): void {
  program
    .command('events')
    .description('show what changed: states of paths, findings, nodes')
    .option('-f, --follow', 'wait for new events until Ctrl-C')
    .option('--after <id>', 'only events with a higher id')
    .addOption(
      new Option('-o, --output <form>', 'text or json (one object a line)')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addHelpText('after', examples)
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<EventsOptions>();
      const paint = paintFor(io);
      const events = clientFor(options, io).events({
        after: readId(options.after),
        follow: options.follow ?? false,
        onReconnect: (reason) =>
          io.stderr.write(`meshprobe: ${escapeText(reason)}, trying again\n`),
      });
      for await (const { json, event } of events) {
        if (options.output === 'json') io.stdout.write(`${escapeJson(json)}\n`);
        else if (event) io.stdout.write(renderEvent(event, paint));
      }
    });
}

function readId(text = '0'): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(id)) return id;
  throw new UsageError(
    `--after: expected the id of an event, got ${JSON.stringify(text.slice(0, 100))}`,
  );
}
