import type { TargetProber } from './target-prober.js';

/** The prober of a target that this process cannot probe. */
export function unknownProber(because: string): TargetProber {
  return {
    unknownBecause: because,
    probe(_, __, settle) {
      const detail = because;
      settle({
        sentMs: performance.now(),
        at: Date.now(),
        outcome: 'not-sent',
        reason: 'other',
        detail,
      });
      return () => undefined;
    },
    answer: () => ({}),
    servers: () => [],
    close: () => undefined,
  };
}
