import { sleepOnTicks, systemClock, untilBeatMs } from './clock.js';
import { fileAtRest } from './file-at-rest.js';
import { fileFingerprint } from './file-fingerprint.js';

export interface WatchFileOptions<Content> {
  readonly path: string;
  /** What the file was when it was read last, by `fileAtRest`. */
  readonly seen: string;
  /** How often the file is checked, in milliseconds. */
  readonly pollMs: number;
  /** So long nobody may have written into it before it is read, in milliseconds. */
  readonly restMs: number;
  readonly signal: AbortSignal;
  readonly read: () => Promise<Content>;
  readonly onRead: (content: Content) => void;
  /** What was wrong with the file, each time it is read. */
  readonly onError: (error: unknown) => void;
}

/** Reads a file again whenever it has changed and is at rest, until the signal. */
export async function watchFile<Content>(options: WatchFileOptions<Content>): Promise<void> {
  const { path, pollMs, restMs, signal, read, onRead, onError } = options;
  const isStopped = () => signal.aborted;
  let { seen } = options;
  let failed: Failed | undefined;
  for (;;) {
    await sleepOnTicks(untilBeatMs(pollMs, systemClock.nowMs()), signal);
    if (isStopped()) return;
    const now = await fileFingerprint(path);
    if (now === seen) continue;
    if (now === failed?.fingerprint && systemClock.nowMs() < failed.untilMs) continue;
    // It has changed since the last beat, or the one before where a timer was late. A repeated read knows nothing.
    const changedWithinMs = seen === '' ? Infinity : 2 * pollMs;
    const found = await fileAtRest({ path, restMs, changedWithinMs, signal });
    const [result] = await Promise.allSettled([read()]);
    // Written while it was read: neither the content nor the mistake need be of the whole file. The read may also have
    // failed for lack of descriptors or memory. Both are repeated until it works, what stays the same more and more seldom: to read
    // a large file again and again takes a processor.
    const isSame = (await fileFingerprint(path)) === found;
    if (isStopped()) return;
    seen = isSame && result.status === 'fulfilled' ? found : '';
    if (!isSame) continue;
    if (result.status === 'fulfilled') onRead(result.value);
    else {
      failed = failedAgain(failed, found, pollMs);
      onError(result.reason);
    }
  }
}

/** A file that could not be read, and until when it is not read again as long as it is the same. */
interface Failed {
  readonly fingerprint: string;
  readonly delayMs: number;
  readonly untilMs: number;
}

const longestDelayMs = 60_000;

function failedAgain(before: Failed | undefined, fingerprint: string, pollMs: number): Failed {
  const isSame = before?.fingerprint === fingerprint;
  const delayMs = isSame ? Math.min(2 * before.delayMs, longestDelayMs) : pollMs;
  return { fingerprint, delayMs, untilMs: systemClock.nowMs() + delayMs };
}
