import { messageOf } from '../../platform/errors.js';
import { fileAtRest } from '../../platform/file-at-rest.js';
import { watchFile } from '../../platform/watch-file.js';
import { readTargets } from './read-targets.js';
import type { WatchTargets } from './targets-config.js';

export const watchTargets: WatchTargets = async (options) => {
  const { config, onTargets, report, pollMs = 1000, restMs = pollMs } = options;
  const { file: path } = config;
  const stopping = new AbortController();
  const { signal } = stopping;
  const read = () => readTargets(config);
  let lastError: string | undefined;
  // Taken before the file is read, so that a change during the read is seen next time.
  const seen = path === undefined ? '' : await fileAtRest({ path, restMs, signal });
  onTargets(await read());
  if (path !== undefined) follow(path);
  return () => stopping.abort();

  function follow(file: string): void {
    const note = (error: string | undefined) => {
      if (error !== lastError) report({ path: file, lastError: error });
      lastError = error;
    };
    void watchFile({
      ...{ path: file, seen, pollMs, restMs, signal, read },
      onRead: (targets) => {
        note(undefined);
        onTargets(targets);
      },
      onError: (error) => note(messageOf(error).replace(`targets-file: ${file}: `, '')),
    });
  }
};
