import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { sleepOnTicks, systemClock } from './clock.js';
import { fileFingerprint } from './file-fingerprint.js';

export interface FileAtRestOptions {
  readonly path: string;
  /** A file that was last written so long ago is at rest, in milliseconds. */
  readonly restMs: number;
  /** Where the file has just changed: at most so long ago, in milliseconds. Left out: nobody knows. */
  readonly changedWithinMs?: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Waits while a file may still be written in place, as by scp, and returns its fingerprint. What is
 * written of a YAML list so far is often a shorter list. A file that was renamed into its place, got its
 * times or its mode after it was written, or is JSON is not waited for.
 */
export async function fileAtRest(options: FileAtRestOptions): Promise<string> {
  const { path, signal } = options;
  for (;;) {
    const found = await fileFingerprint(path);
    const waitMs = await untilRestMs(options);
    if (waitMs === 0) return found;
    await sleepOnTicks(waitMs, signal);
    if (signal.aborted || (await fileFingerprint(path)) === found) return found;
  }
}

async function untilRestMs(options: FileAtRestOptions): Promise<number> {
  const { path, restMs, changedWithinMs = Infinity } = options;
  try {
    const found = await stat(path, { bigint: true });
    const { mtimeNs, ctimeNs } = found;
    // A write sets both. So the last that was done to the file was none, and tools do that when all is written.
    if (mtimeNs !== ctimeNs || !found.isFile() || (await isFlow(path))) return 0;
    const ageMs = systemClock.wallMs() - Number(mtimeNs / 1_000_000n);
    // The clock of a file server may be another one. Then nobody knows when the file was written.
    const isKnown = ageMs >= 0 && ageMs <= changedWithinMs;
    return isKnown ? Math.max(restMs - ageMs, 0) : restMs;
  } catch {
    // Whoever reads the file says what is wrong with it.
    return 0;
  }
}

/** Whether the text begins with a brace. Then its last one is there, or it is not valid. */
async function isFlow(path: string): Promise<boolean> {
  // The file may have become a pipe, of which opening it would wait for the writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.toString('latin1', 0, bytesRead).trimStart().startsWith('{');
  } finally {
    await file.close();
  }
}
