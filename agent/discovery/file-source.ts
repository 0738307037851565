import { ConfigError, messageOf, StartError } from '../platform/errors.js';
import { fileAtRest } from '../platform/file-at-rest.js';
import { watchFile } from '../platform/watch-file.js';
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
        const text = `nodes-file: ${path}: ${messageOf(error)}`;
        // A reader that this host cannot start now says nothing of the file: the next start may be well.
        throw error instanceof ConfigError ? new ConfigError(text) : new StartError(text);
      });
      if (isStopped()) return;
      const onRead = (nodes: readonly Node[]) => {
        noteGood();
        onNodes(nodes);
      };
      onRead(nodes);
      void watchFile({ path, seen, pollMs, restMs, signal, read, onRead, onError: noteBroken });
    },
    stop: () => stopping.abort(),
  };
}
