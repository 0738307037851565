import { open, rm, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { OutputError, UsageError } from './errors.js';

/**
 * Writes a new file that only its owner may read, compressed if its name ends in `.gz`. If that
 * fails, no file is left.
 * @returns the size of the file in bytes
 * @throws UsageError if the file exists or cannot be made, OutputError if it cannot be written, and
 * what the chunks throw
 */
export async function writeNewFile(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  const file = await create(path);
  try {
    await fill(file, path, chunks);
    return (await file.stat()).size;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why: Readonly<Record<string, string>> = {
      EEXIST: 'it exists',
      ENOENT: 'there is no such folder',
      EACCES: 'permission denied',
      EISDIR: 'it is a folder',
      ENOTDIR: 'a part of it is no folder',
      ENAMETOOLONG: 'the name is too long',
    };
    throw new UsageError(
      `expected a file that can be made, got ${JSON.stringify(path)}: ${why[code ?? ''] ?? message}`,
    );
  }
}

async function fill(
  file: FileHandle,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const write = async (parts: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const part of parts) {
      // On a handle it writes on from where the last part ended.
      await file.writeFile(part).catch((error: unknown) => {
        const { code, message } = error as NodeJS.ErrnoException;
        const why = code === 'ENOSPC' ? 'no space left' : message;
        throw new OutputError(`${path} could not be written: ${why}`);
      });
    }
  };
  if (path.endsWith('.gz')) await pipeline(chunks, createGzip(), write);
  else await write(chunks);
}
