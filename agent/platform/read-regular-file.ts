import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open as openLater } from 'node:fs/promises';
import { codeOf } from './errors.js';

/**
 * The text of a regular file. A pipe is refused: reading one would wait for its writer without end.
 * @throws Error where it cannot be read, is no regular file or has more bytes than allowed
 */
export function readRegularFile(path: string, maxBytes: number): string {
  const file = open(path);
  try {
    refuse(fstatSync(file), maxBytes);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/**
 * The same, and the caller goes on meanwhile. Each error names the path.
 * @throws Error where it cannot be read, is no regular file or has more bytes than allowed
 */
export async function readRegularFileLater(path: string, maxBytes = 16 << 20): Promise<string> {
  const file = await openLater(path, flags);
  try {
    refuse(await file.stat(), maxBytes, `${path}: `);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** A pipe that is opened with these is there at once, and does not wait for its writer. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

function refuse(found: Stats, maxBytes: number, where = ''): void {
  if (!found.isFile()) throw new Error(`${where}it is no regular file`);
  if (found.size > maxBytes) {
    throw new Error(`${where}expected at most ${maxBytes} bytes, got ${found.size}`);
  }
}

/** The texts of the system name its calls, and the path again. */
const texts = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENXIO', 'it is no regular file'],
  ['EACCES', 'it may not be read'],
]);

function open(path: string): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    const code = codeOf(error) ?? '';
    const text = texts.get(code);
    throw text === undefined ? error : Object.assign(new Error(text, { cause: error }), { code });
  }
}
