import { describe, expect, it } from 'vitest';
import { beginsOfNodes } from '../../../../../agent/diagnosis/evidence/begin-times.js';
import { CoveredPaths } from '../../../../../agent/diagnosis/evidence/covered-paths.js';
import { detectS, ProbeTimes } from '../../../../../agent/diagnosis/evidence/time-model.js';
import type { TroubledEntries } from '../../../../../agent/diagnosis/evidence/troubled-entries.js';
import { indexCluster } from '../../../../../agent/diagnosis/nouns/cluster-index.js';
import { makeNodes } from '../cluster.js';

const [echo, get] = [2, 3];
const node = 0;
const other = 5;
const index = indexCluster(makeNodes(8));

/** How long ago the paths to the node began to fail, by observer: of echoes and of GETs at its endpoint. */
function beginsOf(
  ages: ReadonlyMap<number, readonly [echo: number, get?: number]>,
  explained?: CoveredPaths,
) {
  const from = [...ages.keys()];
  const channels = [echo, get];
  const tally = {
    times: new ProbeTimes({ httpIntervalMs: 5000 }, index.size),
    bad: Uint8Array.from(from, (one) =>
      (ages.get(one) ?? []).reduce<number>((mask, _, at) => mask | (1 << (channels[at] ?? 0)), 0),
    ),
    observations: {
      entries: {
        from,
        to: from.map(() => node),
        ageS: from.flatMap((one) =>
          [0, 1, 2, 3].map((channel) => ages.get(one)?.[channel === echo ? 0 : 1] ?? 0),
        ),
      },
    },
    rangeFrom: () => [0, 0] as const,
  } as unknown as TroubledEntries;
  const [to] = beginsOfNodes(tally, explained)(node, Int32Array.from(from.keys()));
  return to;
}

describe('the beginning of what fails at a node', () => {
  const ages = new Map<number, readonly [number, number?]>([
    [1, [20, 2]],
    [2, [20]],
    [3, [20]],
    [4, [20]],
    [other, [20, 7]],
  ]);

  it('is that of most of it, where nothing else explains it', () => {
    expect(beginsOf(ages)[get]).toBeCloseTo(7 + detectS);
  });

  it('is not that of what causes elsewhere explain', () => {
    const explained = new CoveredPaths(index, [
      { subject: { type: 'cluster' }, channels: 1 << echo, ways: 'both' },
      { subject: { type: 'node', node: other }, channels: (1 << echo) | (1 << get), ways: 'both' },
    ]);
    expect(beginsOf(ages, explained)[get]).toBeCloseTo(2 + detectS);
    // It began to fail with the rest of the cluster, whatever else fails at the node.
    expect(beginsOf(ages, explained)[echo]).toBeCloseTo(20 + detectS);
  });

  it('is that of the others on a channel with a few failures, though causes elsewhere explain these', () => {
    const explained = new CoveredPaths(index, [
      { subject: { type: 'node', node: other }, channels: 1 << get, ways: 'both' },
    ]);
    const few = new Map<number, readonly [number, number?]>([
      [1, [20]],
      [2, [20]],
      [3, [20]],
      [4, [20]],
      [other, [20, 0]],
    ]);
    expect(beginsOf(few, explained)[get]).toBeCloseTo(20 + detectS);
  });

  it('is that of all where causes elsewhere explain all', () => {
    const explained = new CoveredPaths(index, [
      { subject: { type: 'cluster' }, channels: 15, ways: 'both' },
    ]);
    expect(beginsOf(ages, explained)).toEqual(beginsOf(ages));
  });

  it('counts what causes at the node itself explain', () => {
    const explained = new CoveredPaths(index, [
      { subject: { type: 'node', node }, channels: 15, ways: 'both' },
    ]);
    expect(beginsOf(ages, explained)).toEqual(beginsOf(ages));
  });
});
