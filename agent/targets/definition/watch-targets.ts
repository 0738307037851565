import { sleepOnTicks } from '../../platform/clock.js';
import { messageOf } from '../../platform/errors.js';
import { fileAtRest } from '../../platform/file-at-rest.js';
import { fileFingerprint } from '../../platform/file-fingerprint.js';
import { readTargets } from './read-targets.js';
import type { WatchTargets } from './targets-config.js';

export const watchTargets: WatchTargets = async (options) => {
  const { config, onTargets, report, pollMs = 1000, restMs = pollMs } = options;
  const { file: path } = config;
  const stopping = new AbortController();
  const { signal } = stopping;
  const isStopped = () => signal.aborted;
  // Taken before the file is read, so that a change during the read is seen next time.
  let seen = path === undefined ? '' : await fileAtRest({ path, restMs, signal });
  let lastError: string | undefined;
  onTargets(await readTargets(config));
  if (path !== undefined) void follow(path);
  return () => stopping.abort();

  async function follow(file: string): Promise<void> {
    for (;;) {
      await sleepOnTicks(pollMs, signal);
      if (isStopped()) return;
      if ((await fileFingerprint(file)) === seen) continue;
      // It has changed since the last look, or the one before where a timer was late. A repeated read knows nothing.
      const changedWithinMs = seen === '' ? Infinity : 2 * pollMs;
      seen = await fileAtRest({ path: file, restMs, changedWithinMs, signal });
      if (isStopped()) return;
      try {
        const targets = await readTargets(config);
        if (isStopped()) return;
        note(file, undefined);
        onTargets(targets);
      } catch (error) {
        // The read may have failed for lack of descriptors or memory, so it is repeated until it works.
        seen = '';
        if (!isStopped()) note(file, messageOf(error).replace(`targets-file: ${file}: `, ''));
      }
    }
  }

  function note(file: string, error: string | undefined): void {
    if (error !== lastError) report({ path: file, lastError: error });
    lastError = error;
  }
};
