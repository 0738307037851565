import { describe, expect, test } from 'vitest';
import { Random } from '../../fuzz/random.js';
import { commonSlope, slopeOfOne, type Point } from '../../soak/slope.js';

const samplesInHour = 120;

/** A heap that grows by some megabytes and is collected, at a level and a phase of its own. */
function heapOf(life: string, perHour: number, random: Random): Point[] {
  const [level, phase, period] = [40 + 10 * random.next(), random.below(9), 5 + random.below(9)];
  return Array.from({ length: samplesInHour }, (_, at) => {
    const hours = at / samplesInHour;
    const sawtooth = 4 * (((at + phase) % period) / period);
    return { life, hours, value: level + perHour * hours + sawtooth + random.next() };
  });
}

const heapsOf = (lives: number, perHour: number, random: Random): Point[] =>
  Array.from({ length: lives }, (_, at) => heapOf(`n${at}`, perHour, random)).flat();

describe('the slope that processes have in common', () => {
  test('is exact without noise, whatever the levels', () => {
    const points = ['a', 'b', 'c'].flatMap((life, at) =>
      Array.from({ length: 10 }, (_, hours) => ({ life, hours, value: 100 * at + 2 * hours })),
    );
    const slope = commonSlope(points);
    expect(slope?.perHour).toBeCloseTo(2);
    expect(slope?.error).toBeCloseTo(0);
    expect(slope?.hours).toBe(9);
  });

  test('is within its error of the truth in nineteen of twenty runs', () => {
    let within = 0;
    const runs = 200;
    for (let seed = 0; seed < runs; seed++) {
      const slope = commonSlope(heapsOf(12, 3, new Random(seed)));
      if (slope && Math.abs(slope.perHour - 3) <= slope.error) within++;
    }
    expect(within).toBeGreaterThan(0.9 * runs);
    expect(within).toBeLessThan(runs);
  });

  test('takes a restart for another process and not for a fall', () => {
    const points = ['a', 'b', 'c'].flatMap((host) =>
      Array.from({ length: 60 }, (_, at) => ({
        life: `${host}${at < 30 ? 1 : 2}`,
        hours: at / 60,
        value: at < 30 ? 80 : 40,
      })),
    );
    expect(commonSlope(points)?.perHour).toBeCloseTo(0);
  });

  test('needs three processes and different times', () => {
    const random = new Random(1);
    expect(commonSlope([])).toBeUndefined();
    expect(commonSlope(heapsOf(2, 3, random))).toBeUndefined();
    const atOnce = heapsOf(3, 3, random).map((point) => ({ ...point, hours: 1 }));
    expect(commonSlope(atOnce)).toBeUndefined();
  });
});

describe('the slope of one process', () => {
  test('is exact without noise', () => {
    const points = Array.from({ length: 48 }, (_, at) => ({ life: 'a', hours: at, value: 5 * at }));
    expect(slopeOfOne(points)?.perHour).toBeCloseTo(5);
    expect(slopeOfOne(points)?.error).toBeCloseTo(0);
  });

  test('needs some samples', () => {
    expect(slopeOfOne(heapOf('a', 1, new Random(1)).slice(0, 23))).toBeUndefined();
    expect(slopeOfOne(heapOf('a', 1, new Random(1)).slice(0, 24))).toBeDefined();
  });
});
