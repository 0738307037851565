import { describe, expect, it } from 'vitest';
import { EntryList, failureCodes } from '../../../../../agent/diagnosis/evidence/entry-list.js';
import {
  lookedBesideShare,
  type Beside,
} from '../../../../../agent/diagnosis/evidence/looked-beside.js';
import { ProbeTimes } from '../../../../../agent/diagnosis/evidence/time-model.js';

const [hostIcmp, hostHttp, endpointIcmp, endpointHttp] = [0, 1, 2, 3] as const;
const times = new ProbeTimes({ httpIntervalMs: 250_000 }, 5000);
/** The trouble began so many seconds ago, and the observer saw it fail by ICMP so much later. */
const [beganS, failingS] = [8, 5];

function beside(more: Partial<Beside> & { readonly horizon?: number } = {}): Beside {
  const { horizon = Infinity, ...rest } = more;
  const entries = new EntryList();
  entries.ageS[hostIcmp] = failingS;
  return {
    entries: {
      ageS: entries.ageS,
      from: entries.from,
      failureCode: () => failureCodes.indexOf('timeout'),
    },
    entry: 0,
    failing: 1 << hostIcmp,
    observer: {
      ageS: 0,
      coverage: {
        completeZones: undefined,
        groups: 0,
        horizons: [horizon, horizon, horizon, horizon],
      },
    },
    named: 1,
    times,
    ...rest,
  };
}

describe('what an observer looked at beside a path that fails', () => {
  it('is the other protocol at the same address, and the same protocol at the other one', () => {
    expect(lookedBesideShare(beside(), hostHttp, beganS)).toBe(1);
    expect(lookedBesideShare(beside(), endpointIcmp, beganS)).toBe(1);
    expect(lookedBesideShare(beside(), endpointHttp, beganS)).toBe(0);
  });

  it('is not known where the look came before the trouble began', () => {
    expect(lookedBesideShare(beside(), hostHttp, failingS)).toBe(0);
    // It is told in whole seconds, so for some of them it is not known.
    const share = lookedBesideShare(beside(), hostHttp, failingS + 1);
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1);
    expect(lookedBesideShare(beside(), hostHttp, failingS + 2)).toBe(1);
  });

  it('is not known before the look has a verdict that the row can tell', () => {
    const old = { ageS: failingS, coverage: beside().observer.coverage };
    expect(lookedBesideShare(beside({ observer: old }), hostHttp, beganS)).toBe(0);
  });

  it('comes later where the observer looks at many nodes, GETs latest', () => {
    const many = beside({ named: 40 });
    expect(lookedBesideShare(many, endpointIcmp, beganS)).toBe(1);
    expect(lookedBesideShare(beside({ named: 400 }), hostHttp, beganS)).toBe(0);
  });

  it('may have been looked at before the trouble began, if the other path failed long before and many wait their turn', () => {
    const old = (named: number) =>
      beside({ named, entries: { ...beside().entries, ageS: Float32Array.of(200, 0, 0, 0) } });
    // 5,000 nodes take 187 s, so its turn came at any time since.
    expect(lookedBesideShare(old(5000), hostHttp, 100)).toBeCloseTo((100 + 1 - 13.7) / 188.5, 1);
    expect(lookedBesideShare(old(1), hostHttp, 100)).toBe(0);
  });

  it('is not known of a row that leaves nodes out', () => {
    expect(lookedBesideShare(beside({ horizon: 7 }), hostHttp, beganS)).toBe(0);
  });
});
