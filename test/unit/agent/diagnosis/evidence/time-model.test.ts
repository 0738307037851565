import { describe, expect, it } from 'vitest';
import {
  probeTimes,
  probedShare,
  misfitOf,
  mostMisfit,
  mostOverdue,
  overdueOf,
} from '../../../../../agent/diagnosis/evidence/time-model.js';

const times = probeTimes({ httpIntervalMs: 50_000 });
const [icmp, http] = times.hinted;
if (!icmp || !http) throw new Error('expected a time for each channel');

describe('how long agents take to look', () => {
  it('follows from the intervals of a row: echoes come round sooner', () => {
    expect(icmp).toEqual({ sweepS: 8, hintedS: 8 });
    expect(http).toEqual({ sweepS: 50, hintedS: 8 });
    expect(times.alone[1]).toEqual({ sweepS: 50, hintedS: 50 });
  });

  it('takes the ICMP interval of a row that tells it', () => {
    const sweeps = [
      { plane: 'host', protocol: 'http', intervalMs: 9000 },
      { plane: 'host', protocol: 'icmp', intervalMs: 4000 },
    ] as const;
    const [echo] = probeTimes({ httpIntervalMs: 50_000, sweeps }).hinted;
    expect(echo).toEqual({ sweepS: 4, hintedS: 4 });
  });

  it('is never shorter than from one row to the next', () => {
    expect(probeTimes({ httpIntervalMs: 1000 }).hinted[0]?.sweepS).toBe(2);
  });
});

describe('a row about a cause', () => {
  it('says nothing of it if it was confirmed before', () => {
    expect(probedShare(10, 20, http)).toBe(0);
    expect(misfitOf(probedShare(10, 20, http))).toBe(0);
  });

  it('says nothing of it yet while a probe that was lost has no verdict', () => {
    expect(probedShare(10, 9, http)).toBe(0);
  });

  it('says more of it the later it was confirmed, and all once it must have looked', () => {
    const shares = [7, 4, 1, 0].map((confirmedS) => probedShare(10, confirmedS, http));
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(probedShare(100, 0, http)).toBe(1);
    expect(misfitOf(1)).toBe(mostMisfit);
  });

  it('that still fails says nothing against an end that came after it', () => {
    expect(overdueOf(10, 12, http)).toBe(0);
    expect(overdueOf(10, 9, http)).toBe(0);
  });

  it('that still fails long after the end says most against it', () => {
    expect(overdueOf(60, 0, http)).toBe(mostOverdue);
  });
});
