import { describe, expect, it } from 'vitest';
import { nameHash } from '../../../../agent/model/name-hash.js';
import { coverageOf, isCovered, listOf } from '../../../../agent/model/row-coverage.js';
import type { Plane } from '../../../../agent/model/path.js';
import type { RowPath } from '../../../../agent/model/row.js';
import type { Protocol } from '../../../../agent/model/sample.js';
import { boundRow } from '../../../../agent/peers/row/build-row.js';
import { lowestHashes, namedNodes } from '../../../../agent/peers/named-nodes.js';
import { runAtOnce } from '../../../../agent/platform/time-slices.js';
import { makeRow } from '../../../rows/make-row.js';

const all = Array.from({ length: 300 }, (_, at) => `c/n${at + 1}`);

function paths(nodes: readonly string[], plane: Plane, protocol: Protocol): RowPath[] {
  return nodes.map((node) => ({ node, plane, protocol, state: 'unreachable', ageSeconds: 60 }));
}

const icmpEverywhere = [...paths(all, 'host', 'icmp'), ...paths(all, 'endpoint', 'icmp')];
/** Nodes whose names have the highest hashes: no room is left for them by their hash. */
const highest = [...all].sort((a, b) => nameHash(b) - nameHash(a)).slice(0, 10);

const rowOf = (told: readonly RowPath[]) => makeRow('c/n0', told, 301);

/** The names of the nodes that a row of these paths names. */
function named(told: readonly RowPath[]): readonly string[] {
  return runAtOnce(namedNodes(told, 64, () => undefined)).nodes;
}

/** Zones of ten nodes with the highest hashes, and one of all others. */
const zoneOf = (node: string) => (highest.includes(node) ? 'small' : 'large');

describe('the nodes that a row names where it has no room for all', () => {
  it('are those with the lowest hashes if all have the same trouble', () => {
    expect(named(icmpEverywhere)).toEqual(lowestHashes(all, 64));
  });

  it('are first those with trouble that few have', () => {
    const dead = paths(highest, 'host', 'http');
    const chosen = named([...icmpEverywhere, ...dead]);
    expect(chosen).toHaveLength(64);
    expect(chosen).toEqual(expect.arrayContaining(highest));
    expect(chosen.slice(0, 54)).toEqual(lowestHashes(all, 54));
  });

  it('keep room for the lowest hashes where many have the rarer trouble too', () => {
    const many = [...all].sort((a, b) => nameHash(b) - nameHash(a)).slice(0, 60);
    expect(named([...icmpEverywhere, ...paths(many, 'host', 'http')])).toEqual(
      lowestHashes(all, 64),
    );
  });
});

describe('the nodes that a row names where most only lose packets', () => {
  const lossy = paths(all, 'host', 'icmp').map((path) => ({ ...path, state: 'lossy' as const }));

  it('are those that do not answer, and their hashes say nothing of the others', () => {
    const told = lossy.filter(({ node }) => !highest.includes(node));
    const row = boundRow(rowOf([...told, ...paths(highest, 'host', 'icmp')]));
    expect(row.namedByZone).toEqual(lowestHashes(highest, 10));
    const { horizons } = coverageOf(row, listOf(all.map(nameHash)));
    expect(horizons[0]).toBe(nameHash(lowestHashes(all, 54).at(-1) ?? ''));
  });

  it('are those with the lowest hashes where more do not answer than there is room for', () => {
    const dead = [...all].sort((a, b) => nameHash(b) - nameHash(a)).slice(0, 100);
    const told = lossy.filter(({ node }) => !dead.includes(node));
    expect(named([...told, ...paths(dead, 'host', 'icmp')])).toEqual(lowestHashes(all, 64));
  });
});

describe('the nodes that a row names by their zone', () => {
  it('are all of the zones where few are left out', () => {
    const { nodes, byZone, omitted } = runAtOnce(namedNodes(icmpEverywhere, 64, zoneOf));
    expect(byZone).toEqual(lowestHashes(highest, 10));
    expect(nodes).toEqual(lowestHashes(all, 54));
    expect(omitted).toBe(300 - 64);
  });

  it('are only those with higher hashes than all others that are named: older agents take the others for well', () => {
    const lowest = lowestHashes(all, 5);
    const ofBoth = [...lowest, ...highest];
    const both = (node: string) => (ofBoth.includes(node) ? 'small' : 'large');
    const { nodes, byZone } = runAtOnce(namedNodes(icmpEverywhere, 64, both));
    expect(byZone).toEqual(lowestHashes(highest, 10));
    expect(nodes).toEqual(lowestHashes(all, 54));
  });

  it('are none of a zone for which there is no room, or of which rows do not tell', () => {
    const few = (node: string) => (nameHash(node) % 17 === 0 ? undefined : 'large');
    expect(runAtOnce(namedNodes(icmpEverywhere, 64, few)).byZone).toEqual([]);
  });

  it('are none where the nodes with a rarer trouble take that room', () => {
    const rare = paths(lowestHashes(all, 45), 'host', 'http');
    const { byZone } = runAtOnce(namedNodes([...icmpEverywhere, ...rare], 64, zoneOf));
    expect(byZone).toEqual([]);
  });

  it('say nothing of how far the others reach', () => {
    const row = boundRow(rowOf(icmpEverywhere), { zoneOf });
    expect(row.namedByZone).toHaveLength(10);
    const { horizons } = coverageOf(row, listOf(all.map(nameHash)));
    expect(horizons[0]).toBe(nameHash(lowestHashes(all, 54).at(-1) ?? ''));
  });

  it('are told as before by a row that is bounded again without zones', () => {
    const row = boundRow(boundRow(rowOf(icmpEverywhere), { zoneOf }), { mostNodes: 4 });
    expect(row.namedByZone).toBeUndefined();
    expect(new Set(row.paths.map(({ node }) => node))).toEqual(new Set(lowestHashes(all, 4)));
    expect(row.omittedNodes).toBe(300 - 4);
  });
});

describe('what such a row tells of', () => {
  it('is every node by HTTP, and by ICMP those up to the highest hash that is named for it alone', () => {
    const row = boundRow(rowOf([...icmpEverywhere, ...paths(highest, 'host', 'http')]));
    expect(row.omittedNodes).toBe(300 - 64);
    const coverage = coverageOf(row, listOf(all.map(nameHash)));
    const [icmp, http] = [0, 1];
    const named = new Set(lowestHashes(all, 54));
    for (const name of all) {
      expect(isCovered(coverage, nameHash(name), http)).toBe(true);
      expect(isCovered(coverage, nameHash(name), icmp)).toBe(named.has(name));
    }
  });

  it('is no unnamed node by ICMP where all that are named fail by HTTP too', () => {
    const row = boundRow(rowOf([...icmpEverywhere, ...paths(highest, 'host', 'http')]), {
      mostNodes: 10,
    });
    const onlyHttp = { ...row, paths: row.paths.filter(({ node }) => highest.includes(node)) };
    const { horizons } = coverageOf(onlyHttp, listOf(all.map(nameHash)));
    expect(horizons[0]).toBe(0);
  });
});
