import { codeOf, ConfigError, messageOf } from '../../platform/errors.js';
import { formatValue } from '../../platform/format-value.js';
import { readRegularFile, readRegularFileLater } from '../../platform/read-regular-file.js';
import { parseMeshKeys } from './mesh-keys.js';

/** Kubernetes replaces a mounted Secret by renaming folders, which no watch of one file sees. */
const checkEveryMs = 5000;

/** Many times what keys take. */
const maxBytes = 1 << 20;

/**
 * Reads the keys of a key file.
 * @throws ConfigError where it cannot be read or is not valid
 */
export function readKeyFile(path: string): string[] {
  try {
    return parseMeshKeys(readRegularFile(path, maxBytes));
  } catch (error) {
    throw new ConfigError(`mesh-key-file: ${explain(path, error)}`);
  }
}

export interface KeyFileWatchOptions {
  readonly path: string;
  readonly onKeys: (keys: readonly string[]) => void;
  /**
   * Called after each read of the file: with the reason why the old keys stay, or undefined if all
   * is well.
   */
  readonly onProblem: (reason: string | undefined) => void;
  readonly everyMs?: number;
}

/** Reads a key file repeatedly, and tells when it has changed. A failed read changes nothing. */
export function watchKeyFile(options: KeyFileWatchOptions): () => void {
  const { path, onKeys, onProblem, everyMs = checkEveryMs } = options;
  let known: string | undefined;
  let isStopped = false;
  let isReading = false;
  const check = async (): Promise<void> => {
    // The disk may hang. Each read that waits takes one of the few threads that all files and names are read by.
    if (isReading) return;
    isReading = true;
    try {
      const text = await readRegularFileLater(path, maxBytes);
      const keys = parseMeshKeys(text);
      if (isStopped) return;
      if (text !== known) onKeys(keys);
      known = text;
      onProblem(undefined);
    } catch (error) {
      if (!isStopped) onProblem(explain(path, error));
    } finally {
      isReading = false;
    }
  };
  const timer = setInterval(() => void check(), everyMs).unref();
  void check();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

function explain(path: string, error: unknown): string {
  const code = codeOf(error);
  const why = code === 'ENOENT' ? 'there is no such file' : messageOf(error);
  return code === undefined
    ? `${formatValue(path)}: ${why}`
    : `expected a readable key file, got ${formatValue(path)}: ${why}`;
}
