import { messageOf } from './errors.js';
import { fileFingerprint } from './file-fingerprint.js';

/**
 * Returns a function that gives what a file holds, read again when it changes.
 * @throws Error, from that function, where it cannot be read or is not valid
 */
export function followFile<T>(
  key: string,
  path: string,
  read: (path: string) => T,
): () => Promise<T> {
  let seen: { readonly fingerprint: string; readonly value: T } | undefined;
  return async () => {
    const fingerprint = await fileFingerprint(path);
    if (seen?.fingerprint === fingerprint) return seen.value;
    try {
      const value = read(path);
      seen = { fingerprint, value };
      return value;
    } catch (error) {
      throw new Error(`${key}: ${path}: ${messageOf(error)}`, { cause: error });
    }
  };
}
