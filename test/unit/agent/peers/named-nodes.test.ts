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
  return runAtOnce(namedNodes(told, 64)).nodes;
}

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
    const row = boundRow(rowOf([...icmpEverywhere, ...paths(highest, 'host', 'http')]), 10);
    const onlyHttp = { ...row, paths: row.paths.filter(({ node }) => highest.includes(node)) };
    const { horizons } = coverageOf(onlyHttp, listOf(all.map(nameHash)));
    expect(horizons[0]).toBe(0);
  });
});
