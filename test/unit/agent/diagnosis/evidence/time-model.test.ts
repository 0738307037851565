import { describe, expect, it } from 'vitest';
import {
  ProbeTimes,
  probedShare,
  misfitOf,
  mostMisfit,
  mostOverdue,
  overdueOf,
} from '../../../../../agent/diagnosis/evidence/time-model.js';
import { hintedSpreadMs } from '../../../../../agent/exchange/hints/hinted-delay.js';
import { intervalMsOf, hintedBudget } from '../../../../../agent/probing/schedule/plan.js';
import { defaultCadence } from '../../../../sim/lib/default-cadence.js';

const times = new ProbeTimes({ httpIntervalMs: 50_000 }, 1000);
const [icmp, http] = times.hinted(1, 0);
if (!icmp || !http) throw new Error('expected a time for each channel');

describe('how long agents take to look', () => {
  it('follows from the intervals of a row: echoes come round sooner', () => {
    expect(icmp.sweepS).toBe(8);
    expect(icmp.hintedS).toBeCloseTo(5.024);
    expect(http.sweepS).toBe(50);
    expect(http.hintedS).toBeCloseTo(5.15);
    expect(times.alone[1]).toMatchObject({ sweepS: 50, hintedS: 50, confirmS: 0 });
  });

  it('takes the ICMP interval of a row that tells it', () => {
    const sweeps = [
      { plane: 'host', protocol: 'http', intervalMs: 9000 },
      { plane: 'host', protocol: 'icmp', intervalMs: 4000 },
    ] as const;
    const [echo] = new ProbeTimes({ httpIntervalMs: 50_000, sweeps }, 1000).hinted(1, 0);
    expect(echo).toMatchObject({ sweepS: 4, hintedS: 4, confirmS: 0 });
  });

  it('does not grow with the cluster where hints bring the looks', () => {
    const large = new ProbeTimes({ httpIntervalMs: 250_000 }, 5000);
    expect(large.alone[0]?.sweepS).toBe(40);
    expect(large.hinted(1, 0)[0]?.hintedS).toBeCloseTo(5.024);
  });

  it('takes as long for GETs as those of all agents are spread', () => {
    const nodes = 20_000;
    const [echo, get] = new ProbeTimes({ httpIntervalMs: 1_000_000 }, nodes).hinted(1, 0);
    const circumstances = {
      protocol: 'http',
      change: 'failure',
      nodes,
      answersEchoes: true,
    } as const;
    const spreadS = hintedSpreadMs({ ...circumstances, witnesses: 1000 }) / 1000;
    expect(get?.hintedS).toBeCloseTo(spreadS, 0);
    expect(echo?.hintedS).toBeCloseTo(5, 0);
  });

  it('takes longer where the path works again: each agent sends an echo, and a GET after it', () => {
    const change = { protocol: 'icmp', change: 'recovery', answersEchoes: true } as const;
    for (const nodes of [5000, 20_000]) {
      const spreadS = hintedSpreadMs({ ...change, nodes, witnesses: 0 }) / 1000;
      const large = new ProbeTimes({ httpIntervalMs: 50 * nodes }, nodes);
      for (const { recoveredS } of large.hinted(1, 0)) expect(recoveredS).toBeCloseTo(spreadS, 0);
    }
    // Of a few nodes hints themselves take longer.
    for (const { hintedS, recoveredS } of times.hinted(1, 0)) expect(recoveredS).toBe(hintedS);
  });

  it('is never shorter than from one row to the next', () => {
    expect(new ProbeTimes({ httpIntervalMs: 1000 }, 10).hinted(1, 0)[0]?.sweepS).toBe(2);
  });

  it('grows with the nodes that fail, as an agent looks at one after the other, up to a sweep', () => {
    const get = (nodes: number, channels: number) => times.hinted(nodes, channels)[1]?.hintedS ?? 0;
    expect(get(100, 0b10)).toBeCloseTo(5 + 15);
    expect(get(250, 0b10)).toBeCloseTo(5 + 37.5);
    expect(get(600, 0b10)).toBe(50);
    // Where the echo fails too, it brings the GET.
    expect(get(250, 0b11)).toBeCloseTo(5 + 6 + 9.375);
    expect(times.hinted(600, 0b11)[0]).toMatchObject({ sweepS: 8, hintedS: 8, confirmS: 0 });
  });

  it('is longer beside others that fail, and so is the time that their confirmations wait', () => {
    const get = (others: number) => times.beside(others)[1];
    expect(get(0)).toMatchObject({ hintedS: 5.15, confirmS: 0 });
    expect(get(100)?.hintedS).toBeCloseTo(5 + 15);
    expect(get(100)?.confirmS).toBeCloseTo(3.75);
    expect(get(600)).toMatchObject({ sweepS: 50, hintedS: 50, confirmS: 22.5 });
  });

  it('is bounded in a small cluster with long intervals by what every agent sends', () => {
    const [, get] = new ProbeTimes({ httpIntervalMs: 50_000 }, 12).beside(10);
    expect(get?.hintedS).toBeCloseTo(5 + 12.5);
    expect(get?.confirmS).toBeCloseTo(0.375);
  });

  it('is at its rates what the plan of an agent gives looks and checks', () => {
    for (const cadence of [defaultCadence.icmp, defaultCadence.http]) {
      const nodes = 1000;
      const sweepS = intervalMsOf(cadence, nodes) / 1000;
      const ofAll = new ProbeTimes({ httpIntervalMs: 1000 * sweepS }, nodes);
      const hintedS = ofAll.hinted(nodes / 10, 0b10)[1]?.hintedS ?? 0;
      const firstS = ofAll.hinted(1, 0)[1]?.hintedS ?? 0;
      const queuedS = nodes / 10 / hintedBudget(cadence);
      expect(hintedS - firstS, 'seconds').toBeCloseTo(Math.min(queuedS, sweepS - firstS), 0);
    }
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

  it('that still fails after the hints says little against it until its agent has looked at all nodes: it may not have heard', () => {
    const afterHints = overdueOf(12, 0, http);
    expect(afterHints).toBeGreaterThan(3);
    expect(afterHints).toBeLessThan(4);
    expect(overdueOf(40, 0, http)).toBeLessThan(mostOverdue);
  });
});
