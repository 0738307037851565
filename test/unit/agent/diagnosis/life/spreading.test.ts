import { describe, expect, it } from 'vitest';
import { isSpreading } from '../../../../../agent/diagnosis/life/spreading.js';

const endpointHttp = 3;
const mask = 1 << endpointHttp;

/** On one channel of the paths to a zone: so many fail, work for sure, and are told. */
const zone = (bad: number, probed: number, reported = 780) => ({
  bad: [0, 0, 0, bad],
  probed: [0, 0, 0, probed],
  well: [0, 0, 0, probed],
  reported: [0, 0, 0, reported],
});

const isPart = (side: ReturnType<typeof zone>, own: number, isSent = false) =>
  isSpreading(side, [0, 0, 0, own], mask, isSent);

describe('what fails around a cause', () => {
  it('may be more of it where most of the others that were probed fail too', () => {
    expect(isPart(zone(39, 10), 12)).toBe(true);
    expect(isPart(zone(39, 80), 12)).toBe(false);
  });

  it('is what remains without its own paths on that side alone', () => {
    // The node itself fails to reach 54 others, which are no paths to its zone.
    expect(isPart(zone(39, 10), 5)).toBe(true);
    expect(isPart(zone(39, 10), 39)).toBe(false);
  });

  it('is no more where all of it has been probed', () => {
    expect(isPart(zone(39, 10, 49), 12)).toBe(false);
  });

  it('is more already with fewer where it is about what one node sends', () => {
    expect(isPart(zone(39, 80), 12, true)).toBe(true);
  });
});
