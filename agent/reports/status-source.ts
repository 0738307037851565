import { randomBytes } from 'node:crypto';
import type { StatusText } from '../../api/routes/read-handlers.js';
import { runInSlices, type Steps } from '../platform/time-slices.js';
import { whenIdle } from '../platform/when-idle.js';
import type { ResultStore } from '../results/result-store.js';
import type { Snapshot } from '../results/snapshot.js';

/**
 * Writing the status again takes at most this share of the time, however often it is requested.
 */
const writingShare = 1 / 20;
const longestHoldMs = 500;

/**
 * The status as bytes. It is written once for each generation, in slices. While samples arrive, a
 * written status is served for twenty times as long as it took to write, unless a fresh one is
 * requested: some milliseconds in a small cluster, half a second with thousands of nodes. For as
 * long again it is served while the next one is being written.
 * @param createWriter creates what writes a body. It may keep what the next one needs.
 * @param keptMs the body, and what the writer keeps, are forgotten so long after the last request
 */
export function createStatusSource(
  store: ResultStore,
  createWriter: () => (snapshot: Snapshot) => Steps<Buffer<ArrayBuffer>>,
  keptMs: number,
): (options?: { readonly fresh?: boolean }) => Promise<StatusText> {
  // Generations restart with the process, so the tag includes an id of the process.
  const run = randomBytes(6).toString('base64url');
  const none: StatusText = { body: Buffer.alloc(0), etag: '' };
  let [written, generation, heldUntilMs, staleUntilMs] = [none, -1, -Infinity, -Infinity];
  let write = createWriter();
  let writing: Promise<StatusText> | undefined;
  const noteRequest = whenIdle(keptMs, () => {
    [written, generation, heldUntilMs, staleUntilMs] = [none, -1, -Infinity, -Infinity];
    write = createWriter();
  });

  const writeAnew = async (): Promise<StatusText> => {
    const startedMs = performance.now();
    const snapshot = await store.prepareSnapshot();
    if (snapshot.generation !== generation) {
      const body = await runInSlices(write(snapshot));
      generation = snapshot.generation;
      written = { body, etag: `"${run}.${generation}"` };
      const nowMs = performance.now();
      const holdMs = Math.min((nowMs - startedMs) / writingShare, longestHoldMs);
      heldUntilMs = nowMs + holdMs;
      staleUntilMs = heldUntilMs + holdMs;
    }
    return written;
  };
  const writeOnce = (): Promise<StatusText> =>
    (writing ??= writeAnew().finally(() => (writing = undefined)));

  return async ({ fresh = false } = {}) => {
    noteRequest();
    if (!fresh) {
      const nowMs = performance.now();
      if (nowMs < heldUntilMs) return written;
      const next = writeOnce();
      if (nowMs >= staleUntilMs) return next;
      // Whoever asks over and over does not wait for the writing; if it fails, the next one learns why.
      next.catch(() => undefined);
      return written;
    }
    // The status that is being written may be too old for this request; one that starts from now on
    // is not.
    await writing?.catch(() => undefined);
    return writeOnce();
  };
}
