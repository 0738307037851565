import { describe, expect, it } from 'vitest';
import {
  coveredIn,
  readCoverage,
  reportedChannels,
} from '../../../../../agent/diagnosis/evidence/coverage.js';
import { diagnose } from '../../../../../agent/diagnosis/diagnose.js';
import { allMask, hostIcmpMask } from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import { indexCluster } from '../../../../../agent/diagnosis/nouns/cluster-index.js';
import { channels } from '../../../../../agent/model/channel.js';
import type { Row, RowZone } from '../../../../../agent/model/row.js';
import { boundRow } from '../../../../../agent/peers/row/build-row.js';
import { pathsTo } from '../../../../rows/make-row.js';
import { clusterOf, makeNodes, n, numberOf, type PathOf } from '../cluster.js';

const [size, inZone] = [240, 80];
const zones = Array.from({ length: size }, (_, at) => 'abc'.charAt(Math.floor(at / inZone)));
const zoneOf = (name: string) => zones[numberOf(name) - 1] ?? '';
const isCut = ({ from, to }: PathOf) => (zoneOf(from) === 'a') !== (zoneOf(to) === 'a');

/** A zone is cut off, and the local node is cut off from some within it. Each row but the own one names some nodes and counts the others. */
function cutZone(cutOff: readonly string[] = []) {
  const input = clusterOf(size, {
    zones,
    says: (path) =>
      isCut(path) || (path.from === n(1) && cutOff.includes(path.to))
        ? { state: 'unreachable', ageSeconds: 20 }
        : undefined,
    input: { heardMsAgo: new Map(cutOff.map((name) => [name, 20_500])) },
    without: [...cutOff, ...Array.from({ length: size - inZone }, (_, at) => n(inZone + 1 + at))],
  });
  const rows = [...input.rows].map((observed) => {
    const row = { ...observed.row, zones: countsOf(observed.row, 'a') };
    return { ...observed, row: row.observer === n(1) ? row : boundRow(row) };
  });
  return { ...input, rows };
}

/** How many nodes of a zone answer; an agent answers itself. */
function countsOf({ paths }: Row, zone: string): RowZone[] {
  return channels.map(({ plane, protocol }) => {
    const fails = paths.filter(
      (path) => path.plane === plane && path.protocol === protocol && zoneOf(path.node) === zone,
    );
    return { zone, plane, protocol, paths: inZone - fails.length, p50Ns: 1, p99Ns: 1 };
  });
}

const index = indexCluster(makeNodes(size, zones));
const row = [...cutZone().rows].find(({ row: { omittedNodes } }) => omittedNodes > 0)?.row;
if (!row) throw new Error('expected a row that leaves nodes out');
const members = Array.from({ length: inZone }, (_, at) => at);
const toldIn = (of: Row) => {
  const observer = { coverage: readCoverage(of, index) };
  return members.filter((node) => reportedChannels(observer, node, hostIcmpMask, index) !== 0)
    .length;
};

describe('a row that leaves nodes out', () => {
  it('tells of each node of a zone all of whose nodes it counts as answering', () => {
    const observer = { coverage: readCoverage(row, index) };
    expect(
      members.every((node) => reportedChannels(observer, node, allMask, index) === allMask),
    ).toBe(true);
    const [first, second] = index.zones;
    expect(first && coveredIn(observer, first, 0, index)).toBe(inZone);
    expect(second && coveredIn(observer, second, 0, index)).toBeLessThan(inZone);
    const sum = index.zones.reduce((all, zone) => all + coveredIn(observer, zone, 0, index), 0);
    expect(coveredIn(observer, index.whole, 0, index)).toBe(sum);
  });

  it('tells of each node of a zone of which it names all that do not answer', () => {
    const more: Partial<Row> = {
      paths: [...row.paths, ...pathsTo(n(7), () => ({ state: 'unreachable', ageSeconds: 3 }))],
      namedByZone: [n(7)],
      zones: row.zones.map((one) => ({ ...one, paths: inZone - 1 })),
    };
    expect(toldIn({ ...row, ...more })).toBe(inZone);
    expect(toldIn({ ...row, zones: more.zones ?? [] })).toBeLessThan(inZone);
  });

  it.each([
    [
      'one of them does not answer',
      { zones: row.zones.map((one) => ({ ...one, paths: inZone - 1 })) },
    ],
    [
      'a path somewhere is lossy, and it does not say which',
      {
        counts: {
          ...row.counts,
          host: { ...row.counts.host, icmp: { ...row.counts.host.icmp, degraded: 1 } },
        },
      },
    ],
    [
      'its list of nodes is another one',
      { list: { nodes: 1, digests: Array<number>(16).fill(1) } },
    ],
    ['it tells of no zones', { zones: [] }],
    ['the zone is not in the list', { zones: row.zones.map((one) => ({ ...one, zone: 'z' })) }],
  ])('does not where %s', (_, more: Partial<Row>) => {
    expect(toldIn(row)).toBe(inZone);
    expect(toldIn({ ...row, ...more })).toBeLessThan(inZone);
  });
});

it('a row that leaves nothing out tells of no node of a group that its list has in another way', () => {
  const [whole = row] = [...cutZone().rows].map((one) => one.row);
  const digests = [...index.list.digests];
  digests[(index.hashes[0] ?? 0) % digests.length] = 1;
  const observer = {
    coverage: readCoverage({ ...whole, list: { nodes: size, digests } }, index),
  };
  expect(reportedChannels(observer, 0, allMask, index)).toBe(0);
  expect(members.some((node) => reportedChannels(observer, node, allMask, index) === allMask)).toBe(
    true,
  );
});

it('a row that counts answers where it has no results tells of no node there', () => {
  const none = { reachable: 0, unreachable: 0, unknown: size - 1, degraded: 0 };
  const counts = { ...row.counts, host: { ...row.counts.host, icmp: none } };
  expect(toldIn(row)).toBe(inZone);
  expect(toldIn({ ...row, counts })).toBe(0);
});

it('a pair cut within a zone that is cut off is no dead node, whatever other rows have no room for', () => {
  const { findings } = diagnose(cutZone([n(2)]));
  expect(findings.map(({ kind }) => kind).sort()).toEqual(['pair', 'zones']);
});
