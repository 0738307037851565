import { sleepOnTicks } from '../../platform/clock.js';
import { messageOf } from '../../platform/errors.js';
import { fileFingerprint } from '../../platform/file-fingerprint.js';
import { readTargets } from './read-targets.js';
import type { WatchTargets } from './targets-config.js';

export const watchTargets: WatchTargets = async ({ config, onTargets, report, pollMs = 1000 }) => {
  const { file: path } = config;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Taken before the file is read, so that a change during the read is seen next time.
  let seen = path === undefined ? '' : await fileFingerprint(path);
  let lastError: string | undefined;
  onTargets(await readTargets(config));
  if (path !== undefined) void follow(path);
  return () => stopping.abort();

  async function follow(file: string): Promise<void> {
    for (;;) {
      await sleepOnTicks(pollMs, signal);
      if (signal.aborted) return;
      const found = await fileFingerprint(file);
      if (found === seen) continue;
      seen = found;
      try {
        const targets = await readTargets(config);
        if (stopping.signal.aborted) return;
        note(file, undefined);
        onTargets(targets);
      } catch (error) {
        // The read may have failed for lack of descriptors or memory, so it is repeated until it works.
        seen = '';
        if (!stopping.signal.aborted)
          note(file, messageOf(error).replace(`targets-file: ${file}: `, ''));
      }
    }
  }

  function note(file: string, error: string | undefined): void {
    if (error !== lastError) report({ path: file, lastError: error });
    lastError = error;
  }
};
