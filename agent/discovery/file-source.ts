import { sleepOnTicks, systemClock, untilBeatMs } from '../platform/clock.js';
import { ConfigError, messageOf } from '../platform/errors.js';
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
}

/**
 * A nodes file as a node source. If the file breaks later, the last good list stays and the error is
 * reported once.
 */
export function createFileSource(options: FileSourceOptions): NodeSource {
  const { path, read, report, pollMs = 2000 } = options;
  const about = { source: `nodes file ${path}`, waitsFor: `the nodes file ${path}` };
  let brokenSince: number | undefined;
  let listAt: number | undefined;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function watch(seen: string, onNodes: (nodes: readonly Node[]) => void): Promise<void> {
    for (;;) {
      await sleepOnTicks(untilBeatMs(pollMs, systemClock.nowMs()), signal);
      if (signal.aborted) return;
      // Taken before the file is read, so that a change during the read is seen next time.
      const found = await fileFingerprint(path);
      if (found === seen) continue;
      seen = found;
      const nodes = await read().catch(noteBroken);
      // The read may have failed for lack of descriptors or memory, so it is repeated until it
      // works.
      if (nodes === undefined) seen = '';
      if (nodes === undefined || stopping.signal.aborted) continue;
      noteGood();
      onNodes(nodes);
    }
  }

  function noteBroken(error: unknown): undefined {
    if (signal.aborted) return;
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
      const seen = await fileFingerprint(path);
      const nodes = await read().catch((error: unknown) => {
        throw new ConfigError(`nodes-file: ${path}: ${messageOf(error)}`);
      });
      if (signal.aborted) return;
      noteGood();
      onNodes(nodes);
      void watch(seen, onNodes);
    },
    stop: () => stopping.abort(),
  };
}
