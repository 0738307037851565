import { describe, expect, it } from 'vitest';
import type { PathSight } from '../../../../../agent/diagnosis/life/path-sight.js';
import { untilRestarted } from '../../../../../agent/diagnosis/kinds/waits.js';

/**
 * A server that refused first so many seconds ago, and the last observer so many. News of its return take longer by so much, and probes
 * that confirm wait for so long.
 */
function refused(
  sinceS: number,
  lastS: number,
  lateRecoveryS: number,
  confirmS = 0,
  hasEnded = false,
): PathSight {
  return {
    failure: () => 'refused',
    life: { hearing: 0 },
    beganMsAgo: 1000 * sinceS,
    refusals: () => ({ sinceMs: 1000 * sinceS, lastMs: 1000 * lastS }),
    lateRecoveryMs: 1000 * lateRecoveryS,
    confirmMs: 1000 * confirmS,
    hasEnded: () => hasEnded,
    explained: { tally: { sweepMs: 5000 } },
  } as unknown as PathSight;
}

describe('a server that refuses connections', () => {
  it('may be restarting for 5.5 seconds', () => {
    expect(untilRestarted(refused(6, 5, 0))).toBe(5500);
  });

  it('may be back already in a large cluster, where nobody was refused since, and rows that tell so take longer', () => {
    expect(untilRestarted(refused(6, 3, 15))).toBe(8000);
  });

  it('may be back for longer while much else fails, where who was refused has still to confirm it', () => {
    expect(untilRestarted(refused(6, 6, 0, 37))).toBe(42_500);
    expect(untilRestarted(refused(6, 2, 0, 37))).toBe(5500);
  });

  it('is not back where an observer that looked late was refused too', () => {
    expect(untilRestarted(refused(6, 2, 15))).toBe(5500);
  });

  it('is back where rows tell so by then, as others of before are still to be replaced', () => {
    expect(untilRestarted(refused(6, 2, 15, 0, true))).toBe(30_000);
  });
});
