import { randomBytes } from 'node:crypto';
import type { ReadSource } from '../../api/routes/read-handlers.js';
import type { ResultStore } from '../results/result-store.js';
import type { Snapshot } from '../results/snapshot.js';

/** Writing the status anew takes at most this share of the time, however often it is asked for. */
const writingShare = 1 / 20;
const longestHoldMs = 500;

/**
 * The status as bytes, written once for each generation. While samples come in, a written one
 * stands for twenty times as long as it took to write, unless a fresh one is asked for: some
 * milliseconds in a small cluster, a fifth of a second with thousands of nodes.
 */
export function createStatusSource(
  store: ResultStore,
  write: (snapshot: Snapshot) => Buffer<ArrayBuffer>,
): ReadSource['status'] {
  // Generations start anew with the process, so the tag needs something of the process.
  const run = randomBytes(6).toString('base64url');
  let written = { body: Buffer.alloc(0), etag: '' };
  let generation = -1;
  let heldUntilMs = -Infinity;
  return ({ fresh = false } = {}) => {
    const nowMs = performance.now();
    if (!fresh && nowMs < heldUntilMs) return written;
    const snapshot = store.snapshot();
    if (snapshot.generation !== generation) {
      generation = snapshot.generation;
      written = { body: write(snapshot), etag: `"${run}.${generation}"` };
      const tookMs = performance.now() - nowMs;
      heldUntilMs = nowMs + Math.min(tookMs / writingShare, longestHoldMs);
    }
    return written;
  };
}
