import { expect, it } from 'vitest';
import { channels } from '../../../../agent/model/channel.js';
import { boundRow, type RowBounds } from '../../../../agent/peers/row/build-row.js';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import { clusterOf, n, namesOf, numberOf } from './cluster.js';

const [size, inZone] = [240, 80];
const names = namesOf(size);
const zoneOf = (name: string) => 'abc'.charAt(Math.floor((numberOf(name) - 1) / inZone));
const isCutOff = (name: string) => zoneOf(name) === 'c';
/** Of the nodes that fail it has one of the highest hashes: no row has room for it by that. */
const filtered = n(158);

/** What an agent says beside a zone that is off, of a node with a filtered port: all other rows name 64 nodes and count the others. */
function findingsWith(bounds: RowBounds) {
  const input = clusterOf(size, {
    zones: names.map(zoneOf),
    says: ({ from, to, protocol }) =>
      isCutOff(from) !== isCutOff(to) || (to === filtered && protocol === 'http')
        ? { state: 'unreachable', ageSeconds: 60 }
        : undefined,
    without: names.filter(isCutOff),
  });
  const rows = [...input.rows].map((observed) => {
    const row = {
      ...observed.row,
      zones: ['a', 'b'].flatMap((zone) =>
        channels.map((of) => {
          const isFiltered = zone === 'b' && of.protocol === 'http';
          return { zone, ...of, paths: inZone - (isFiltered ? 1 : 0), p50Ns: 1, p99Ns: 1 };
        }),
      ),
    };
    return { ...observed, row: row.observer === n(1) ? row : boundRow(row, bounds) };
  });
  const named = rows.filter(({ row }) => row.paths.some(({ node }) => node === filtered)).length;
  return { named, ids: diagnose({ ...input, rows }).findings.map(({ id }) => id) };
}

it('a node beside a zone that is off is told, as each row names it with its zone', () => {
  const { named, ids } = findingsWith({ zoneOf });
  expect(named).toBe(size - inZone - 1);
  expect(ids).toEqual(['zones:c', `http-filtered:${filtered}`]);
});

it('has no room in a row for which no zones are known', () => {
  expect(findingsWith({}).named).toBe(1);
});
