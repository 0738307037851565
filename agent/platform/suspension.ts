import { uptime } from 'node:os';
import { untilBeatMs, type Clock } from './clock.js';

export interface SuspensionOptions {
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
  /** Called with the time for which the host was suspended, in milliseconds. */
  readonly onSuspended: (ms: number) => void;
  /**
   * Milliseconds since the host started, with the time in which it was suspended (CLOCK_BOOTTIME); by default as the
   * kernel tells.
   */
  readonly uptimeMs?: () => number;
}

const checkEveryMs = 1000;
/** The uptime may be told in whole seconds. */
const leastMs = 3000;

/**
 * Tells when the host was suspended, within a second after that. The monotonic clock stands still meanwhile
 * (clock_gettime(2)), so whatever is known seems younger than it is. A virtual machine that its hypervisor pauses knows
 * nothing of it. Returns a function that ends it.
 */
export function watchSuspension({
  clock,
  onSuspended,
  uptimeMs = () => 1000 * uptime(),
}: SuspensionOptions): () => void {
  const suspendedMs = (): number => uptimeMs() - clock.nowMs();
  let cancel = (): void => undefined;
  let knownMs = suspendedMs();
  const beat = (): void => {
    const ms = suspendedMs() - knownMs;
    if (ms >= leastMs) {
      knownMs += ms;
      onSuspended(ms);
    }
    cancel = clock.after(untilBeatMs(checkEveryMs, clock.nowMs()), beat);
  };
  beat();
  return () => cancel();
}
