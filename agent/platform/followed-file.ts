import { messageOf } from './errors.js';
import { fileFingerprint } from './file-fingerprint.js';

/**
 * Returns a function that gives what a file holds, read again when it changes. Whoever asks while it is being read
 * waits for the same reading: on a disk that hangs each takes one of the few threads that all files are read by.
 * @throws Error, from that function, where it cannot be read or is not valid
 */
export function followFile<T>(
  key: string,
  path: string,
  read: (path: string) => T,
): () => Promise<T> {
  let seen: { readonly fingerprint: string; readonly value: T } | undefined;
  let reading: Promise<T> | undefined;
  return () => (reading ??= readAnew().finally(() => (reading = undefined)));

  async function readAnew(): Promise<T> {
    const fingerprint = await fileFingerprint(path);
    if (seen?.fingerprint === fingerprint) return seen.value;
    try {
      const value = read(path);
      seen = { fingerprint, value };
      return value;
    } catch (error) {
      throw new Error(`${key}: ${path}: ${messageOf(error)}`, { cause: error });
    }
  }
}
