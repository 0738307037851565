import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * The text of a regular file. A pipe is refused: reading one would wait for its writer without end.
 * @throws Error where it cannot be read, is no regular file or has more bytes than allowed
 */
export function readRegularFile(path: string, maxBytes: number): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
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
