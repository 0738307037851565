import { sleepOnTicks, systemClock, untilBeatMs } from '../platform/clock.js';
import { ConfigError, messageOf } from '../platform/errors.js';
import { fileAtRest } from '../platform/file-at-rest.js';
import { fileFingerprint } from '../platform/file-fingerprint.js';
import type { Node } from '../model/node.js';
import type { NodeSource } from './node-source.js';
import type { ReportSourceState } from './source-state.js';

export interface FileSourceOptions {
  readonly path: string;
  readonly read: () => Promise<readonly Node[]>;
  readonly report: ReportSourceState;
  /** How often the file is checked, in milliseconds; by default every two seconds. */
  readonly pollMs?: number;
  /** So long nobody may have written into it before it is read, in milliseconds; by default as `pollMs`. */
  readonly restMs?: number;
}

/**
 * A nodes file as a node source. It is read once it is at rest. If the file breaks later, the last good
 * list stays and the error is reported once.
 */
export function createFileSource(options: FileSourceOptions): NodeSource {
  const { path, read, report, pollMs = 2000, restMs = pollMs } = options;
  const about = { source: `nodes file ${path}`, waitsFor: `the nodes file ${path}` };
  let brokenSince: number | undefined;
  let listAt: number | undefined;
  const stopping = new AbortController();
  const { signal } = stopping;
  const isStopped = () => signal.aborted;

  async function watch(seen: string, onNodes: (nodes: readonly Node[]) => void): Promise<void> {
    for (;;) {
      await sleepOnTicks(untilBeatMs(pollMs, systemClock.nowMs()), signal);
      if (isStopped()) return;
      if ((await fileFingerprint(path)) === seen) continue;
      const found = await fileAtRest({
        ...{ path, restMs, signal },
        // It has changed since the last beat, or the one before where a timer was late. A repeated read knows nothing.
        changedWithinMs: seen === '' ? Infinity : 2 * pollMs,
      });
      seen = found;
      let failure: unknown;
      const nodes = await read().catch((error: unknown) => void (failure = error));
      if (isStopped()) return;
      // Written while it was read: neither the list nor the mistake need be of the whole file. The read may also have
      // failed for lack of descriptors or memory. Both are repeated until it works.
      const isSame = (await fileFingerprint(path)) === found;
      if (!isSame || nodes === undefined) seen = '';
      if (!isSame || isStopped()) continue;
      if (nodes === undefined) {
        noteBroken(failure);
        continue;
      }
      noteGood();
      onNodes(nodes);
    }
  }

  function noteBroken(error: unknown): void {
    brokenSince ??= Date.now();
    report({ ...about, since: brokenSince, lastError: messageOf(error), listAt });
  }

  function noteGood(): void {
    [brokenSince, listAt] = [undefined, Date.now()];
    report({ ...about, since: undefined, lastError: undefined, listAt });
  }

  return {
    async start(onNodes) {
      report({ ...about, since: Date.now(), lastError: undefined, listAt });
      // Taken before the file is read, so that a change during the read is seen by the watch.
      const seen = await fileAtRest({ path, restMs, signal });
      if (isStopped()) return;
      const nodes = await read().catch((error: unknown) => {
        throw new ConfigError(`nodes-file: ${path}: ${messageOf(error)}`);
      });
      if (isStopped()) return;
      noteGood();
      onNodes(nodes);
      void watch(seen, onNodes);
    },
    stop: () => stopping.abort(),
  };
}
