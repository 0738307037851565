import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { codeOf } from './errors.js';

/**
 * The text of a regular file. A pipe is refused: reading one would wait for its writer without end.
 * @throws Error where it cannot be read, is no regular file or has more bytes than allowed
 */
export function readRegularFile(path: string, maxBytes: number): string {
  const file = open(path);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new Error('it is no regular file');
    if (found.size > maxBytes) {
      throw new Error(`expected at most ${maxBytes} bytes, got ${found.size}`);
    }
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
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
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error) ?? '';
    const text = texts.get(code);
    throw text === undefined ? error : Object.assign(new Error(text, { cause: error }), { code });
  }
}
