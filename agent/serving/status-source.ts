import { randomBytes } from 'node:crypto';
import type { StatusSource } from '../../api/routes/common.js';
import type { ResultStore } from '../results/result-store.js';
import type { Snapshot } from '../results/snapshot.js';

/** The status as text, written once for each generation however often it is asked for. */
export function createStatusSource(
  store: ResultStore,
  write: (snapshot: Snapshot) => string,
): StatusSource['status'] {
  // Generations start anew with the process, so the tag needs something of the process.
  const run = randomBytes(6).toString('base64url');
  let written = { generation: -1, body: '', etag: '' };
  return () => {
    const snapshot = store.snapshot();
    const { generation } = snapshot;
    if (generation !== written.generation) {
      written = { generation, body: write(snapshot), etag: `"${run}.${generation}"` };
    }
    return written;
  };
}
