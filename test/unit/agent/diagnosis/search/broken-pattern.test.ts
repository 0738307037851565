import { expect, it } from 'vitest';
import {
  allMask,
  endpointHttpMask,
  endpointIcmpMask,
  endpointMask,
  hostHttpMask,
  httpMask,
  icmpMask,
} from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import { brokenPattern } from '../../../../../agent/diagnosis/search/broken-pattern.js';
import type { FormerCauses } from '../../../../../agent/diagnosis/search/former-causes.js';
import { noSide, type SubjectPaths } from '../../../../../agent/diagnosis/search/subject-paths.js';
import { pathWeights } from '../../../../../agent/diagnosis/search/weights.js';

/** Of the paths to a node all GETs fail and so many of ten echoes. The others were probed since, some of them surely. */
function pathsTo(failingEchoes: number, known?: FormerCauses, surely = 1): SubjectPaths {
  const bad = [failingEchoes, 10, failingEchoes, 10];
  const probed = [10 - failingEchoes, 0, 10 - failingEchoes, 0];
  return {
    type: 'node',
    weights: pathWeights.broken,
    subjects: 100,
    usual: [],
    known,
    to: {
      bad,
      probed,
      well: probed.map((count) => surely * count),
      reported: [99, 99, 99, 99],
      open: bad.map((count) => 4 * count),
    },
    from: noSide,
  };
}

const knownAs = (...masks: readonly number[]): FormerCauses =>
  masks.map((channels) => ({ channels, isOpen: false, isRecovering: false }));
const isAll = (paths: SubjectPaths) => brokenPattern(paths, allMask, 'in', 0) !== undefined;

it('is one cause of all channels at a smaller share once parts of it are known', () => {
  expect(isAll(pathsTo(8))).toBe(true);
  expect(isAll(pathsTo(6))).toBe(false);
  expect(isAll(pathsTo(6, knownAs(httpMask)))).toBe(false);
  expect(isAll(pathsTo(6, knownAs(httpMask, icmpMask)))).toBe(true);
  expect(isAll(pathsTo(4, knownAs(httpMask, icmpMask)))).toBe(false);
  // It is not over while what works is a guess.
  expect(isAll(pathsTo(4, knownAs(httpMask, icmpMask), 0.3))).toBe(true);
});

it('is one of both directions by what nothing else explains alone', () => {
  const on = (count: number) => [0, 0, 0, count];
  const side = (bad: number, probed: number, open: number) => ({
    bad: on(bad),
    probed: on(probed),
    well: on(0),
    reported: on(44),
    open: on(open),
  });
  /** Nobody reaches the server of a node. It does not reach a zone of 30 nodes that is off, and so many of 14 others. */
  const isBoth = (failing: number, working: number, known?: FormerCauses) => {
    const paths: SubjectPaths = {
      ...pathsTo(0, known),
      to: side(13, 0, 60),
      from: side(30 + failing, working, 20 * failing),
      explainedPaths: (way) => on(way === 'out' ? 30 : 0),
    };
    return brokenPattern(paths, endpointHttpMask, 'both', 0) !== undefined;
  };
  expect(isBoth(1, 4)).toBe(false);
  // Hardly any other one has been probed since.
  expect(isBoth(1, 0.3)).toBe(true);
  expect(isBoth(1, 0.3, [{ channels: endpointHttpMask, isOpen: true, isRecovering: false }])).toBe(
    false,
  );
  expect(isBoth(10, 4)).toBe(true);
});

it('is no cause of both servers, though it was one, where another explains one and echoes answer for the other', () => {
  const gain = (channels: number, known: FormerCauses, echoes: number) => {
    const paths: SubjectPaths = { ...pathsTo(0, known) };
    const to = { ...paths.to, well: [echoes, 0, 0, 0], open: [0, 40, 0, 0] };
    return brokenPattern({ ...paths, to }, channels, 'in', 0)?.gain ?? 0;
  };
  const both = knownAs(httpMask);
  expect(gain(hostHttpMask, both, 10)).toBeGreaterThan(gain(httpMask, both, 10));
  expect(gain(hostHttpMask, both, 0)).toBeLessThan(gain(httpMask, both, 0));
});

it('is a cut plane where GETs at endpoints fail for the whole cluster, though some to the node have not been sent since', () => {
  const to = { bad: [0, 0, 10, 8], probed: [10, 10, 0, 2], reported: [10, 10, 10, 10] };
  const paths: SubjectPaths = {
    ...pathsTo(0),
    to: { ...to, well: [10, 10, 0, 2], open: [0, 0, 40, 0] },
    explained: endpointIcmpMask,
  };
  const isPlane = (everywhere: number) => {
    const gain = (channels: number) =>
      brokenPattern({ ...paths, everywhere }, channels, 'in', 0)?.gain ?? 0;
    return gain(endpointMask) > gain(endpointIcmpMask);
  };
  expect(isPlane(0)).toBe(false);
  expect(isPlane(endpointHttpMask)).toBe(true);
});

it('is one of both directions of a plane whose server failed before, as no smaller one breaks what began last', () => {
  const side = { bad: [0, 0, 10, 10], probed: [10, 10, 0, 0], well: [10, 10, 0, 0] };
  const open = { ...side, reported: [10, 10, 10, 10], open: [0, 0, 40, 40] };
  const isPlane = (olderEchoes: boolean) => {
    const paths: SubjectPaths = {
      ...pathsTo(0),
      to: open,
      from: open,
      onsetS: 20,
      bothWaysS: 2,
      beganS: (channel, way) => {
        const isServer = way === 'in' && channel === 3;
        const isEchoes = olderEchoes && channel === 2;
        return isServer || isEchoes ? 100 : 10;
      },
    };
    return brokenPattern(paths, endpointMask, 'both', 0) !== undefined;
  };
  expect(isPlane(false)).toBe(true);
  // The GETs that it sends fail alone then.
  expect(isPlane(true)).toBe(false);
});

it('is no cause of what a zone sends where all that is told of it is that connections were refused', () => {
  const on = (count: number) => [0, count, 0, 0];
  const from = { bad: on(1), probed: on(0), well: on(0), reported: on(4), open: on(30) };
  const gain = (answered: number) => {
    const paths: SubjectPaths = { ...pathsTo(0), type: 'zones', to: noSide, from, answered };
    return brokenPattern(paths, allMask, 'out', 0)?.gain ?? 0;
  };
  // Nobody tells of its echoes.
  expect(gain(hostHttpMask)).toBe(0);
  expect(gain(0)).toBeGreaterThan(0);
});
