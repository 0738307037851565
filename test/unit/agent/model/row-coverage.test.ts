import { describe, expect, it } from 'vitest';
import { perChannel } from '../../../../agent/model/channel.js';
import { nameHash } from '../../../../agent/model/name-hash.js';
import {
  coverageOf,
  isCovered,
  listGroupOf,
  listOf,
} from '../../../../agent/model/row-coverage.js';
import type { Row } from '../../../../agent/model/row.js';
import { makeRow } from '../../../rows/make-row.js';

const names = Array.from({ length: 200 }, (_, node) => `c/n${node + 1}`);
const hashes = names.map(nameHash);

const rowOf = (more: Partial<Row>) => makeRow('c/n1', [], 199, more);

describe('what a row tells of', () => {
  it('is every node where the lists are the same and nothing was left out', () => {
    const coverage = coverageOf(rowOf({ list: listOf(hashes) }), listOf([...hashes].reverse()));
    for (const hash of hashes) expect(isCovered(coverage, hash, 1)).toBe(true);
  });

  it('leaves out the group of a node that the observer does not know', () => {
    const missing = hashes[7] ?? 0;
    const list = listOf(hashes.filter((hash) => hash !== missing));
    const coverage = coverageOf(rowOf({ list }), listOf(hashes));
    for (const hash of hashes) {
      expect(isCovered(coverage, hash, 0)).toBe(listGroupOf(hash) !== listGroupOf(missing));
    }
  });

  it('is believed of all nodes where an older agent does not tell of its list', () => {
    const coverage = coverageOf(rowOf({}), listOf(hashes));
    expect(isCovered(coverage, hashes[0] ?? 0, 3)).toBe(true);
  });

  it('ends at the highest named hash on channels that had more than the row has room for', () => {
    const [low = '', high = ''] = [...names].sort((a, b) => nameHash(a) - nameHash(b)).slice(0, 2);
    const counts = perChannel(({ plane, protocol }) =>
      plane === 'host' && protocol === 'http'
        ? { reachable: 100, unreachable: 99, unknown: 0, degraded: 0 }
        : { reachable: 199, unreachable: 0, unknown: 0, degraded: 0 },
    );
    const path = { plane: 'host', protocol: 'http', state: 'unreachable', ageSeconds: 9 } as const;
    const row = rowOf({
      counts,
      omittedNodes: 98,
      paths: [{ node: low, ...path }],
    });
    const coverage = coverageOf(row, listOf(hashes));
    expect(isCovered(coverage, nameHash(low), 1)).toBe(true);
    expect(isCovered(coverage, nameHash(high), 1)).toBe(false);
    expect(isCovered(coverage, nameHash(high), 0)).toBe(true);
  });

  it('is nothing on a channel without results, or that the host cannot send on', () => {
    const counts = perChannel(({ plane }) =>
      plane === 'host'
        ? { reachable: 199, unreachable: 0, unknown: 0, degraded: 0 }
        : { reachable: 0, unreachable: 0, unknown: 199, degraded: 0 },
    );
    const health = { ready: true, starved: false, notSending: ['icmp'] as const };
    const coverage = coverageOf(rowOf({ counts, health }), listOf(hashes));
    expect(coverage.horizons).toEqual([-1, Infinity, -1, -1]);
  });
});
