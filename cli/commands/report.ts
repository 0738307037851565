import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Command } from 'commander';
import { clientFor, type GlobalOptions, type Output, type ProgramIo } from '../context.js';
import { UsageError } from '../errors.js';
import { writeNewFile } from '../new-file.js';
import { bytesText } from '../view/bytes-text.js';
import { escapeJson } from '../view/data.js';
import { escapeText } from '../view/escape.js';
import { showProgress } from '../view/progress.js';

/** The report of thousands of nodes takes seconds, and a starved host takes longer. */
const defaultTimeout = '2m';

const examples = `
Examples:
  meshprobe report                       a file in this folder, named by node and time
  meshprobe report /tmp/n1.json.gz       this file; it is compressed because of its name
  meshprobe report - | jq .summary       to the standard output
  meshprobe report --gzip - > n1.json.gz  the same, compressed
  kubectl -n meshprobe exec ds/meshprobe -- meshprobe report --gzip - > n1.json.gz

Attach the file to a bug report. It has what the agent knows: rows of all observers with their ages,
its own paths and targets, the node list, findings with their memory, plan, problems, settings, versions and the
last events. It has the names and addresses of your nodes, and no key, token or header.

The file is new, with mode 0600; a file that exists is never replaced. It takes some 6 KB a node while
all is well, some 30 KB more an observer in the worst outage, and at most some 300 MB; a tenth of that
compressed.
Exit codes: 0 ok, 2 the file exists or cannot be made, 3 no agent.`;

interface ReportOptions extends GlobalOptions {
  readonly gzip?: boolean;
}

/** `meshprobe report [FILE]`: all that the agent knows, for a bug report. */
export function addReportCommand(program: Command, io: ProgramIo): void {
  program
    .command('report')
    .argument('[file]', 'where to write it, or - for the standard output')
    .description('write all that the agent knows to one file, for a bug report')
    .option('-z, --gzip', 'compress what goes to the standard output')
    .addHelpText('after', examples)
    .action(async (given: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ReportOptions>();
      const { gzip = false } = options;
      if (gzip) checkCompressed(given, io.stdout);
      const client = clientFor({ ...options, timeout: options.timeout ?? defaultTimeout }, io);
      if (given === '-') {
        const text = printed(client.report());
        const print = (parts: AsyncIterable<string | Uint8Array>) => write(parts, io.stdout);
        await (gzip ? pipeline(text, createGzip(), print) : print(text));
        return;
      }
      const path = given ?? defaultName((await client.summary()).node, new Date());
      const bytes = await showProgress(
        io.stderr,
        'Writing the report',
        writeNewFile(path, client.report()),
      );
      io.stderr.write(
        `wrote ${escapeText(path)} (${bytesText(bytes)})\n` +
          'It has the names and addresses of your nodes, and no key or token: look at it before you share it.\n',
      );
    });
}

function checkCompressed(given: string | undefined, stdout: Output): void {
  if (given !== '-') {
    throw new UsageError(
      '--gzip: expected only with - (a file is compressed if its name ends in .gz)',
    );
  }
  if (stdout.isTTY) {
    throw new UsageError(
      '--gzip: expected a file or a pipe as the standard output, got a terminal',
    );
  }
}

async function* printed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield escapeJson(decoder.decode(chunk, { stream: true }));
  yield '\n';
}

async function write(parts: AsyncIterable<string | Uint8Array>, stdout: Output): Promise<void> {
  for await (const part of parts) {
    const isTaken = stdout.write(part);
    if (isTaken === false) await new Promise<void>((resolve) => stdout.once?.('drain', resolve));
  }
}

/** `meshprobe-report-c-n1-20260131T140207Z.json.gz`: the name of a node cannot lead elsewhere. */
function defaultName(node: string, now: Date): string {
  const name = node.replaceAll(/[^A-Za-z0-9_.]+/g, '-').slice(0, 100);
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `meshprobe-report-${name}-${time}.json.gz`;
}
