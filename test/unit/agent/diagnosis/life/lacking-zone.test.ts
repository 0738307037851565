import { describe, expect, it } from 'vitest';
import { observe } from '../../../../../agent/diagnosis/evidence/observations.js';
import { countLackingZone } from '../../../../../agent/diagnosis/life/lacking-zone.js';
import { finished } from '../../../../../agent/diagnosis/nouns/steps.js';
import { boundRow } from '../../../../../agent/peers/row/build-row.js';
import { clusterOf, type PathOf } from '../cluster.js';

const nodes = 200;
const half = nodes / 2;
const zones = Array.from({ length: nodes }, (_, at) => (at < half ? 'a' : 'b'));
const numberOf = (name: string) => Number(name.slice('c/n'.length));
const endpointEchoes = 0b0100;

/** How many of five observers of zone a lack zone b, if they do not reach these nodes by pings of the endpoints. */
function lacking(fails: (to: number) => boolean): number {
  const observing = [2, 3, 4, 5, 6];
  const input = clusterOf(nodes, {
    zones,
    says: ({ from, to, plane, protocol }: PathOf) =>
      observing.includes(numberOf(from)) &&
      plane === 'endpoint' &&
      protocol === 'icmp' &&
      fails(numberOf(to))
        ? 'unreachable'
        : undefined,
  });
  const rows = [...input.rows].map((one) => ({ ...one, row: boundRow(one.row) }));
  const observations = finished(observe(input.index, { ...input, rows }));
  const { entries } = observations;
  const cause = {
    subject: { type: 'zones', zone: 0, other: 1 },
    entries: Int32Array.from({ length: entries.size }, (_, entry) => entry),
    knownChannels: endpointEchoes,
  } as const;
  return countLackingZone(cause, observations, input.index, 0.7);
}

describe('an observer lacks a whole zone', () => {
  it('though its row has no room for most of the nodes there', () => {
    expect(lacking((to) => to > half)).toBe(5);
  });

  it('where most of the nodes there are not reached', () => {
    expect(lacking((to) => to > half && to % 5 !== 0)).toBe(5);
  });

  it('but not where a half of them is reached', () => {
    expect(lacking((to) => to > half && to % 2 === 0)).toBe(0);
  });

  it('nor where only more than its row has room for fail', () => {
    expect(lacking((to) => to > half && to <= half + 66)).toBe(0);
  });
});
