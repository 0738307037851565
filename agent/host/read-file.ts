import { open } from 'node:fs/promises';

/** Files of the kernel are mostly smaller than a page. Those with a line for each interface are not. */
export const mostFileBytes = 262_144;
const firstBytes = 8192;

/**
 * Reads a small file of the kernel as characters of one byte each.
 * @returns undefined where it cannot be read, or is larger than that
 */
export async function readKernelFile(
  path: string,
  mostBytes = mostFileBytes,
): Promise<string | undefined> {
  let file;
  try {
    file = await open(path, 'r');
    // The size of such a file is told as 0, so it is read until nothing more comes.
    let buffer = Buffer.allocUnsafe(Math.min(firstBytes, mostBytes + 1));
    for (let length = 0; ;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (length > mostBytes) return undefined;
      if (bytesRead === 0) return buffer.toString('latin1', 0, length);
      if (length === buffer.length) {
        buffer = Buffer.concat([buffer, Buffer.allocUnsafe(Math.min(length, mostBytes + 1))]);
      }
    }
  } catch {
    // It is not there, may not be read, or went away meanwhile: then there is no figure.
    return undefined;
  } finally {
    await file?.close().catch(() => undefined);
  }
}

/**
 * Reads the first lines of a file of the kernel, as many as so many bytes hold.
 * @returns undefined where it cannot be read
 */
export async function readKernelHead(path: string, bytes: number): Promise<string | undefined> {
  let file;
  try {
    file = await open(path, 'r');
    const buffer = Buffer.allocUnsafe(bytes);
    let [length, bytesRead] = [0, -1];
    while (bytesRead !== 0 && length < bytes) {
      ({ bytesRead } = await file.read(buffer, length, bytes - length));
      length += bytesRead;
    }
    const text = buffer.toString('latin1', 0, length);
    return length < bytes ? text : text.slice(0, text.lastIndexOf('\n') + 1);
  } catch {
    return undefined;
  } finally {
    await file?.close().catch(() => undefined);
  }
}
