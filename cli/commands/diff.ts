import { readFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import type * as z from 'zod';
import { fillGoZeroValues } from '../../api/client/go-zeros.js';
import type { ProgramIo } from '../context.js';
import { diffBodies, type SavedBody } from '../diff/diff-bodies.js';
import { exitCodes, type SetExitCode } from '../exit-codes.js';
import { UsageError } from '../errors.js';
import { paintFor } from '../view/colour.js';
import { renderData } from '../view/data.js';
import { renderDiff, subjectText } from '../view/diff-text.js';

const examples = `
Examples:
  meshprobe status -o json > before.json     before an upgrade
  meshprobe status -o json > after.json      after it
  meshprobe diff before.json after.json      what is worse, what is better: nodes, states, RTTs
  meshprobe diff a.json b.json -o json       the same for a program
  meshprobe status -o json | meshprobe diff before.json -    what changed until now

Two matrices compare as well: meshprobe matrix --by node -o json.
An RTT has changed if the median of a path's last 60 round trips is more than three times or less than a
third of what it was, and each is of 20 or more that were measured while the agent had CPU time; of a status
each median is also outside the other's least and largest. A matrix by zone has one round trip a pair, so
cells of 16 pairs and more are compared. A node or path that is gone, and one that worked and is not known now, is worse. What was
added, and the phases of nodes, are neither worse nor better.
Exit codes: 0 nothing is worse, also where much is different or better; 4 something is worse. For any difference:
meshprobe diff a.json b.json -o json | jq -e '.changes == []'`;

/** The name that stands for the standard input. */
const standardInput = '-';

/** `meshprobe diff A B`: what changed between two saved answers. It asks no agent. */
export function addDiffCommand(program: Command, io: ProgramIo, setExitCode: SetExitCode): void {
  program
    .command('diff')
    .argument(
      '<before.json>',
      'a file with the JSON of status or matrix, or - for the standard input',
    )
    .argument('<after.json>', 'another one of the same kind')
    .description('show what changed between two saved answers of status or matrix')
    .addOption(
      new Option('-o, --output <form>', 'text or json').choices(['text', 'json']).default('text'),
    )
    .addHelpText('after', examples)
    .action(async (before: string, after: string, options: { output: 'text' | 'json' }) => {
      if (before === standardInput && after === standardInput) {
        throw new UsageError('expected - for one of the files, got it for both');
      }
      const [a, b] = [await readBody(before, io), await readBody(after, io)];
      const changes = diff(a, b);
      if (changes.some(({ effect }) => effect === 'worse')) setExitCode(exitCodes.notWell);
      const named = changes.map((change) => ({ ...change, subject: subjectText(change.subject) }));
      io.stdout.write(
        options.output === 'json'
          ? await renderData({ changes: named }, 'json')
          : renderDiff(changes, paintFor(io)),
      );
    });
}

function diff(before: SavedBody, after: SavedBody) {
  try {
    return diffBodies(before, after);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

async function readBody(given: string, io: ProgramIo): Promise<SavedBody> {
  const path = given === standardInput ? 'the standard input' : given;
  const body = parseJson(
    given === standardInput ? await readStdin(io) : await readText(path),
    path,
  );
  const fields = typeof body === 'object' && body !== null ? body : {};
  if ('cells' in fields) {
    const { zoneMatrixSchema } = await import('../../api/schema/v1/matrix.js');
    return { kind: 'matrix by zone', body: shaped(body, zoneMatrixSchema, path) };
  }
  if ('states' in fields) {
    const { nodeMatrixSchema } = await import('../../api/schema/v1/matrix.js');
    return { kind: 'matrix by node', body: shaped(body, nodeMatrixSchema, path) };
  }
  if ('nodes' in fields && 'local' in fields) {
    const { statusSchema } = await import('../../api/schema/status.js');
    return { kind: 'status', body: shaped(fillGoZeroValues(body), statusSchema, path) };
  }
  throw new UsageError(`${path}: expected what status -o json or matrix -o json prints`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why: Readonly<Record<string, string>> = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a folder',
      EACCES: 'permission denied',
    };
    throw new UsageError(
      `expected a file that can be read, got ${JSON.stringify(path)}: ${why[code ?? ''] ?? message}`,
    );
  }
}

async function readStdin({ stdin }: ProgramIo): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stdin?.() ?? []) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`${path}: expected JSON, got ${JSON.stringify(text.slice(0, 40))}`);
  }
}

function shaped<T>(body: unknown, schema: z.ZodType<T>, path: string): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(
    `${path}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'another shape'}`,
  );
}
