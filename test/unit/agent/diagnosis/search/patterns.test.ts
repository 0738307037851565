import { describe, expect, it } from 'vitest';
import { hostIcmpMask } from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import { noPaths } from '../../../../../agent/diagnosis/nouns/sight.js';
import { bestPattern } from '../../../../../agent/diagnosis/search/patterns.js';
import { noSide } from '../../../../../agent/diagnosis/search/subject-paths.js';
import { pathWeights } from '../../../../../agent/diagnosis/search/weights.js';

/** What two zones are said to have, of as many paths by ICMP at node IPs, and so many of these lossy. */
function ofZones(paths: number, lossy: number, usual = 0.0005) {
  const on = (count: number) => [count, 0, 0, 0];
  const well = on(paths - lossy);
  return bestPattern({
    type: 'zones',
    weights: pathWeights.lossy,
    subjects: 6,
    known: undefined,
    usual: [usual, usual, usual, usual],
    to: { ...noPaths, bad: on(lossy), well, probed: well, open: on(lossy * -Math.log(usual)) },
    from: noSide,
  });
}

describe('the share of paths that two zones must lose probes on', () => {
  it.each([
    { paths: 100, no: 25, yes: 35 },
    { paths: 1000, no: 140, yes: 160 },
    { paths: 10_000, no: 450, yes: 550 },
    { paths: 1_000_000, no: 45_000, yes: 55_000 },
  ])('is less of $paths paths than of fewer', ({ paths, no, yes }) => {
    expect(ofZones(paths, no)).toBeUndefined();
    expect(ofZones(paths, yes)).toMatchObject({ channels: hostIcmpMask, ways: 'in' });
  });

  it('is twice what is usual, of however many', () => {
    expect(ofZones(10_000, 1100, 0.06)).toBeUndefined();
    expect(ofZones(10_000, 1300, 0.06)).toBeDefined();
  });
});
