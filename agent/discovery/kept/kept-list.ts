import { constants } from 'node:fs';
import { mkdir, open, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { geteuid } from 'node:process';
import * as z from 'zod';
import { codeOf } from '../../platform/errors.js';
import { formatValue } from '../../platform/format-value.js';
import { readAddress } from '../../model/address.js';
import { isZoneName, type Node } from '../../model/node.js';
import { isLabelName, isLabelValue, mostGroupLabels } from '../../model/node-labels.js';
import { isName } from '../../model/node-name.js';
import { LineSplitter } from '../kubernetes/line-splitter.js';

/** A node list that was written to disk, and when it was last known to be true (epoch milliseconds). */
export interface KeptNodes {
  readonly nodes: readonly Node[];
  readonly at: number;
}

const form = 'meshprobe-nodes-1';
const maxFileBytes = 32 << 20;
/** A node that lost as many addresses as a source takes, each to one with the longest name. */
const maxLineBytes = 256 << 10;
const maxNodes = 100_000;
const maxAddresses = 128;
const nodesPerWrite = 200;

const ip = z.string().refine((text) => {
  const read = readAddress(text);
  return 'ip' in read && read.ip === text;
});
const fullName = z.string().refine((text) => {
  const parts = text.split('/');
  return parts.length === 2 && parts.every(isName);
});
/** The longest one names an address and its holder, whose name has up to 507 characters. */
const printable = z
  .string()
  .max(1024)
  .regex(/^[\x20-\x7e]*$/);
const addresses = z.array(ip).max(maxAddresses);

const nodeSchema = z.strictObject({
  name: fullName,
  host: addresses,
  endpoint: addresses,
  incarnation: z.string().max(64).optional(),
  lifecycle: z
    .strictObject({
      phase: z.enum(['joining', 'active', 'leaving', 'excluded']),
      reason: printable.optional(),
    })
    .optional(),
  condition: z
    .strictObject({ name: z.literal('NotReady'), sinceAt: z.number().optional() })
    .optional(),
  zone: z.string().refine(isZoneName).optional(),
  labels: z
    .record(z.string().refine(isLabelName), z.string().refine(isLabelValue))
    .refine((labels) => Object.keys(labels).length <= mostGroupLabels)
    .optional(),
  lost: z
    .array(z.strictObject({ ip, holder: fullName }))
    .max(2 * maxAddresses)
    .optional(),
});

/**
 * Writes a node list, so that whoever reads it finds a whole one: this or the one before. The folder
 * is made where it is missing, for its owner alone. It is written in slices.
 * @throws Error where the folder or the file cannot be written, or is not this user's alone
 */
export async function writeKeptNodes(path: string, nodes: readonly Node[]): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  await refuseUnlessOwn(folder);
  const temporary = `${path}.new`;
  // Left by an agent that was killed while it wrote.
  await rm(temporary, { force: true });
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.write(`${JSON.stringify({ form, nodes: nodes.length })}\n`);
    for (let at = 0; at < nodes.length; at += nodesPerWrite) {
      const lines = nodes.slice(at, at + nodesPerWrite).map((node) => `${JSON.stringify(node)}\n`);
      await file.write(lines.join(''));
    }
    await file.datasync();
    await rename(temporary, path);
  } catch (error) {
    // What was written of it would keep a full disk full.
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Notes that the list is still true now; false where there is none any more. */
export async function touchKeptNodes(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Reads a list that was kept; undefined where there is none. It trusts nothing in it: one line that
 * is no node refuses the whole file.
 * @throws Error with what is wrong with the folder or the file
 */
export async function readKeptNodes(path: string): Promise<KeptNodes | undefined> {
  const file = await openOwn(path);
  if (file === undefined) return undefined;
  try {
    const { mtimeMs } = await file.stat();
    const lines = new LineSplitter(maxLineBytes);
    const nodes: Node[] = [];
    const names = new Set<string>();
    let expected: number | undefined;
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      for (const line of lines.push(chunk as Buffer)) {
        if (expected === undefined) {
          expected = readHead(line);
          continue;
        }
        const node = readNode(line);
        if (names.has(node.name))
          throw new Error(`expected each node once, got ${node.name} again`);
        names.add(node.name);
        nodes.push(node);
        if (nodes.length > expected) throw new Error(`expected ${expected} nodes, got more`);
      }
    }
    if (expected === undefined || lines.isWithinLine || nodes.length !== expected) {
      throw new Error(`expected ${expected ?? 'a number of'} nodes, got ${nodes.length}`);
    }
    return { nodes, at: Math.min(mtimeMs, Date.now()) };
  } finally {
    await file.close();
  }
}

async function openOwn(path: string): Promise<FileHandle | undefined> {
  try {
    await refuseUnlessOwn(dirname(path));
    // Neither a link nor a pipe: both could be read without end, or be another's.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(path, flags);
    try {
      const found = await file.stat();
      if (!found.isFile()) throw new Error('it is no regular file');
      refuseOthers(found);
      if (found.size > maxFileBytes) {
        throw new Error(`expected at most ${maxFileBytes} bytes, got ${found.size}`);
      }
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === 'ELOOP') throw new Error('it is a link', { cause: error });
    throw error;
  }
}

async function refuseUnlessOwn(folder: string): Promise<void> {
  const found = await stat(folder);
  if (!found.isDirectory()) throw new Error(`${folder} is no folder`);
  refuseOthers(found, `${folder}: `);
}

/** Who may write there could make an agent probe anything. */
function refuseOthers({ uid, mode }: { uid: number; mode: number }, where = ''): void {
  const own = geteuid?.();
  if (own !== undefined && uid !== own) {
    throw new Error(`${where}expected it to belong to user ${own}, got user ${uid}`);
  }
  if ((mode & 0o022) !== 0) {
    const octal = (mode & 0o777).toString(8).padStart(4, '0');
    throw new Error(`${where}expected nobody else to have the right to write, got mode ${octal}`);
  }
}

function readHead(line: string): number {
  const head = z
    .object({ form: z.literal(form), nodes: z.int().min(0).max(maxNodes) })
    .safeParse(parse(line));
  if (head.success) return head.data.nodes;
  throw new Error(`expected a node list of the form ${form}, got ${formatValue(line)}`);
}

function readNode(line: string): Node {
  const node = nodeSchema.safeParse(parse(line));
  if (node.success) return node.data as Node;
  const at = node.error.issues[0]?.path.join('.') ?? '';
  throw new Error(`expected a node${at && `, with a good ${at}`}, got ${formatValue(line)}`);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
