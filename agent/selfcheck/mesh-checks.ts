import type { Clock } from '../platform/clock.js';
import type { ProtocolStats } from '../probing/schedule/scheduler.js';
import type { Check } from './checks.js';
import type { Report } from './health.js';
import type { PeersReached } from './peers.js';

export interface FirstSweepOptions {
  /** The node list has come. */
  readonly isListed: () => boolean;
  readonly stats: () => readonly ProtocolStats[];
  /** Every path was probed at least once. */
  readonly isSwept: () => boolean;
}

/** Readiness needs one pass over all paths. Paths that are added later do not undo it. */
export function firstSweepCheck({ isListed, stats, isSwept }: FirstSweepOptions): Check {
  return {
    name: 'first-sweep',
    everyMs: 1000,
    timeoutMs: 10_000,
    allowedFailures: 0,
    live: false,
    ready: true,
    run() {
      if (!isListed()) return { ok: false, message: 'starts with the node list' };
      if (isSwept()) return { ok: true, message: 'complete' };
      const progress = stats().map(
        ({ protocol, paths, probed }) => `${probed} of ${paths} paths probed by ${protocol}`,
      );
      return { ok: false, message: progress.join(', ') };
    },
  };
}

export interface PeersOptions {
  readonly clock: Clock;
  readonly readinessWindowMs: number;
  /** The first sweep is complete; nothing is counted before. */
  readonly isSwept: () => boolean;
  /** Whether this process goes on just now after it stood still: what it found last holds until it has checked again. */
  readonly isSettling: () => boolean;
  readonly peersReached: () => Promise<PeersReached>;
}

/**
 * A young agent must have reached every active peer once. After the readiness window one reachable
 * peer is enough, and having no peers is fine: a mesh must not take itself down when some of its
 * nodes are gone.
 */
export function peersCheck(options: PeersOptions): Check {
  const { clock, readinessWindowMs, isSwept, isSettling, peersReached } = options;
  const startedMs = clock.nowMs();
  let last: Report = { ok: false, message: 'known after the first sweep' };
  return {
    name: 'peers',
    everyMs: 5000,
    timeoutMs: 20_000,
    allowedFailures: 0,
    live: false,
    ready: true,
    async run() {
      if (isSwept() && !isSettling()) last = await check();
      return last;
    },
  };

  async function check(): Promise<Report> {
    const { active, reachedOnce, reachable, neverReached, unreachable } = await peersReached();
    if (active === 0) return { ok: true, message: 'there are none' };
    const leftMs = startedMs + readinessWindowMs - clock.nowMs();
    if (leftMs <= 0) {
      const missing = nameSome(unreachable, active - reachable);
      const which = reachable === active ? '' : `, not ${missing}`;
      return { ok: reachable > 0, message: `${reachable} of ${active} reachable${which}` };
    }
    const words = `${reachedOnce} of ${active} reached since the start`;
    if (reachedOnce === active) return { ok: true, message: words };
    const missing = nameSome(neverReached, active - reachedOnce);
    const wait = `${Math.ceil(leftMs / 1000)} s left to wait for ${missing}`;
    return { ok: false, message: `${words}, ${wait}` };
  }
}

function nameSome(names: readonly string[], count: number): string {
  const more = count - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
