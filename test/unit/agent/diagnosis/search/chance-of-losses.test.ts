import { describe, expect, test } from 'vitest';
import {
  weightOfLost,
  weightsOfLosses,
} from '../../../../../agent/diagnosis/search/chance-of-losses.js';
import { found, n, type PathOf } from '../cluster.js';
import { isAt, isOn } from '../paths.js';

/** By its definition: e^-m m^k / k!, summed from `least` on. */
function poissonTail(mean: number, least: number): number {
  let [term, sum] = [Math.exp(-mean), 0];
  for (let count = 0; count < 80; count++) {
    if (count >= least) sum += term;
    term *= mean / (count + 1);
  }
  return sum;
}

describe('what a path weighs that lost so many probes', () => {
  test.each([0.0005, 0.01, 0.1, 0.5])('is by Poisson, where a share of %s is lossy', (share) => {
    const weights = weightsOfLosses(share);
    expect(weightOfLost(weights, 3)).toBeCloseTo(-Math.log(share), 6);
    // The mean of which three or more make that share.
    let [low, high] = [0, 10];
    for (let step = 0; step < 60; step++) {
      const mean = (low + high) / 2;
      if (poissonTail(mean, 3) < share) low = mean;
      else high = mean;
    }
    for (const lost of [7, 12])
      expect(weightOfLost(weights, lost)).toBeCloseTo(-Math.log(poissonTail(1.25 * low, lost)), 2);
    expect(weightOfLost(weights, 4)).toBeGreaterThanOrEqual(-Math.log(share));
  });

  test('is that of any lossy path where it is not told, or is as few as a lossy path has', () => {
    const weights = weightsOfLosses(0.02);
    for (const lost of [undefined, 0, 2]) {
      expect(weightOfLost(weights, lost)).toBe(lost === undefined ? weights[0] : weights[lost]);
      expect(weightOfLost(weights, lost)).toBeCloseTo(-Math.log(0.02), 6);
    }
  });

  test('is no more from twelve on', () => {
    const weights = weightsOfLosses(0.02);
    expect(weightOfLost(weights, 255)).toBe(weightOfLost(weights, 12));
  });
});

describe('a pair of a small cluster of which only some paths can be seen to lose probes', () => {
  const losing = (lost: number | undefined) => (path: PathOf) => {
    const isOfPair = isAt(n(2))(path) && isAt(n(3))(path);
    if (isAt(n(3), 'endpoint')(path)) return 'unreachable' as const;
    return isOfPair ? { state: 'lossy' as const, ...(lost && { lost }) } : undefined;
  };
  const ids = (lost: number | undefined) =>
    found(4, { says: losing(lost) }).findings.map(({ id }) => id);

  test('is told where they lose far more than chance takes', () => {
    expect(ids(12)).toEqual(['endpoint-plane:c/n3', 'lossy:c/n2,c/n3']);
  });

  test('is not told where they lose what chance may take, or where rows do not say how much', () => {
    expect(ids(3)).toEqual(['endpoint-plane:c/n3']);
    expect(ids(undefined)).toEqual(['endpoint-plane:c/n3']);
  });

  test('is not told where many paths lose as much', () => {
    const says = (path: PathOf) =>
      isOn('icmp')(path) && Number(path.from.slice(3)) % 2 === Number(path.to.slice(3)) % 2
        ? { state: 'lossy' as const, lost: 6 }
        : undefined;
    expect(found(12, { says }).findings.filter(({ pair }) => pair)).toEqual([]);
  });
});

describe.each([60, 1000])('a pair of %i nodes of which no other loses probes', (nodes) => {
  const ids = (isLossy: (path: PathOf) => boolean) => {
    const says = (path: PathOf) =>
      path.from === n(2) && path.to === n(3) && isLossy(path) ? 'lossy' : undefined;
    return found(nodes, { says }).findings.map(({ id }) => id);
  };

  test('is told where three of its paths are lossy', () => {
    expect(ids(({ plane, protocol }) => protocol === 'icmp' || plane === 'host')).toEqual([
      'lossy:c/n2,c/n3',
    ]);
  });

  test('is not told where two are', () => {
    expect(ids(isOn('icmp'))).toEqual([]);
  });
});
