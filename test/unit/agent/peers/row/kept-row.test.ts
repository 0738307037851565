import { describe, expect, test } from 'vitest';
import { encodeRow, maxRowBytes } from '../../../../../agent/peers/row/row-text.js';
import { keepRow, type KeptRow } from '../../../../../agent/peers/row/kept-row.js';
import { SharedParts } from '../../../../../agent/peers/row/shared-parts.js';
import type { Row } from '../../../../../agent/model/row.js';
import { listOf } from '../../../../../agent/model/row-coverage.js';
import { nameHash } from '../../../../../agent/model/name-hash.js';
import { Random } from '../../../../fuzz/random.js';
import {
  decodeRow,
  randomRow,
  readFields,
  readPath,
  sentRow,
  travelled,
  wellRow,
} from '../../exchange/lib/rows.js';
import { wireRowSchema } from '../../exchange/lib/wire-schema.js';

const names = (count: number, length = 4): string[] =>
  Array.from({ length: count }, (_, i) => `c/${'n'.repeat(length)}${i}`);

/** Targets have tests of their own. */
function withoutTargets(row: Row): { -readonly [K in keyof Row]: Row[K] } {
  const bare = { ...row };
  delete bare.targets;
  return bare;
}

const digests = Buffer.alloc(64).toString('base64');

/** Keeps a row as one of a peer, where these nodes are listed. */
function keep(row: Row, listed: readonly string[], shared = sharedBy(listed)): KeptRow {
  const kept = keepRow(row.observer, JSON.parse(encodeRow(row)), shared);
  if (!kept) throw new Error('expected a row that can be kept, got none');
  return kept;
}

function sharedBy(listed: readonly string[]): SharedParts {
  return new SharedParts({
    numberOfNode: (name) => (listed.includes(name) ? listed.indexOf(name) : undefined),
    nodeOfNumber: (number) => listed[number],
  });
}

describe('a row', () => {
  test('is the same after it has travelled', () => {
    const random = new Random(1);
    for (let count = 0; count <= 64; count += 8) {
      const row = randomRow(random, names(count));
      const parsed: unknown = JSON.parse(encodeRow(row));
      expect(decodeRow(row.observer, parsed)).toEqual(row);
      expect(wireRowSchema.safeParse(parsed).success).toBe(true);
    }
  });

  test('tells which nodes its observer knows; a row of an older agent does not', () => {
    const row = { ...wellRow(), list: listOf(names(5000).map(nameHash)) };
    const { list, ...older } = sentRow(row);
    expect(list).toBeDefined();
    expect(travelled(row)?.list).toEqual(row.list);
    expect(decodeRow(row.observer, older)).toEqual(wellRow());
  });

  test('of a newer agent is read as far as it is known here', () => {
    const known = { node: 'c/n', plane: 'endpoint', protocol: 'http', ageSeconds: 7 };
    expect(readPath([3, 0, 7, 0])).toEqual([
      { ...known, state: 'unreachable', failure: 'timeout' },
    ]);
    expect(readPath([3, 0, 7, 9])).toEqual([{ ...known, state: 'unreachable' }]);
    expect(readPath([3, 0, 7, 255])).toEqual([{ ...known, state: 'unreachable' }]);
    expect(readPath([3, 4, 7, -1])).toEqual([{ ...known, state: 'unknown' }]);
    expect(readPath([3, 0, 7, -1, 0, 5])).toEqual([{ ...known, state: 'unreachable' }]);
    expect(readPath([4, 0, 7, -1])).toEqual([]);
    for (const entry of [
      [3, 0, 7, 256],
      [3, 0, 7, -2],
      [3, 256, 7, -1],
      [256, 0, 7, -1],
    ]) {
      expect(readPath(entry)).toBeUndefined();
    }
  });

  test('of a newer agent may have more channels, protocols and fields', () => {
    const counts = [7, 1, 0, 0, 99];
    const newer = {
      health: [1, 0, 'http', 'dns'],
      counts: [counts, counts, counts, counts, counts, counts],
      zones: [['a', [0, 5, 1000, 2000, 9], [4, 5, 1000, 2000]]],
      flows: [{ name: 'registry' }],
    };
    expect(readFields(newer)).toMatchObject({
      health: { notSending: ['http'] },
      counts: { endpoint: { http: { reachable: 7, unreachable: 1, unknown: 0, degraded: 0 } } },
      zones: [{ zone: 'a', plane: 'host', protocol: 'icmp', paths: 5 }],
    });
  });

  test.each([
    null,
    5000,
    'AAAA',
    [],
    [5000],
    [5000, 16],
    [5000, 'AAAA'],
    [-1, digests],
    [0.5, digests],
    [1e9, digests],
    [5000, digests, ...Array<number>(15).fill(0)],
    [5000, digests.slice(1)],
    [5000, `${digests}A`],
    [5000, `${digests.slice(0, -3)}!==`],
    [5000, digests.replace('==', 'AA')],
  ])('is refused with the list %j', (list) => {
    expect(readFields({ list: [5000, digests] })).toBeDefined();
    expect(readFields({ list })).toBeUndefined();
  });

  test('is read without what a newer agent adds to its list', () => {
    const row = { ...wellRow(), list: listOf(names(5000).map(nameHash)) };
    const { list, ...rest } = JSON.parse(encodeRow(row)) as { readonly list: readonly unknown[] };
    expect(decodeRow(row.observer, { ...rest, list: [...list, 'new', [7]] })).toEqual(row);
  });

  test('takes less than a kilobyte if all is well in three zones', () => {
    const { zones } = randomRow(new Random(1), []);
    expect(encodeRow({ ...wellRow(), zones }).length).toBeLessThan(1024);
  });

  test('is at most 8 KB however long the names are, and counts the nodes that it leaves out', () => {
    const nodes = names(64, 240).sort((a, b) => nameHash(a) - nameHash(b));
    const row = withoutTargets(randomRow(new Random(2), nodes));
    delete row.namedByZone;
    const text = encodeRow(row);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxRowBytes);
    const read = decodeRow(row.observer, JSON.parse(text));
    const reported = new Set(read?.paths.map(({ node }) => node));
    expect(reported.size).toBeGreaterThan(10);
    // A row keeps the nodes with the lowest hashes, so it reports all paths of a node or none.
    expect([...reported]).toEqual(nodes.slice(0, reported.size));
    expect(read?.omittedNodes).toBe(row.omittedNodes + nodes.length - reported.size);
  });

  test('is at most 8 KB however long the names are, and leaves out those last that are named by their zone', () => {
    const nodes = names(64, 240).sort((a, b) => nameHash(a) - nameHash(b));
    const namedByZone = nodes.slice(-10);
    const row = { ...withoutTargets(randomRow(new Random(2), nodes)), namedByZone };
    const read = travelled(row);
    const reported = new Set(read?.paths.map(({ node }) => node));
    expect(reported.size).toBeLessThan(nodes.length);
    expect(read?.namedByZone).toEqual(namedByZone);
    expect([...reported]).toEqual([...nodes.slice(0, reported.size - 10), ...namedByZone]);
  });

  test.each([
    'nothing',
    [['c/n1', 0]],
    [
      ['c/n1', 0, [0, 0, 1, -1]],
      ['c/n1', 0, [1, 0, 1, -1]],
    ],
  ])('is refused if what is named by its zone is %j', (namedByZone) => {
    const node = ['c/n1', 0, [0, 0, 1, -1]];
    expect(readFields({ namedByZone: [node] })).toBeDefined();
    expect(readFields({ namedByZone })).toBeUndefined();
    expect(readFields({ nodes: [node], namedByZone: [node] })).toBeUndefined();
  });

  test('is the same after it was kept, and takes 1,600 bytes in the worst outage', () => {
    const nodes = names(64, 50);
    const random = new Random(3);
    for (let turn = 0; turn < 20; turn++) {
      const row = withoutTargets(randomRow(random, nodes.slice(0, random.below(65))));
      // They have tests of their own.
      delete row.large;
      delete row.notices;
      const kept = keep(row, nodes);
      expect(kept.toJSON()).toEqual(row);
      expect(kept.byteLength).toBeLessThan(row.paths.some(({ flows }) => flows) ? 2000 : 1600);
    }
  });

  test('is the same if none of its nodes is listed, if hundreds of thousands were, and if rows are read in turn', () => {
    const random = new Random(9);
    const nodes = names(64);
    const high = (name: string) => 70_000 + nodes.indexOf(name);
    const shared = new SharedParts({
      numberOfNode: (name) => (nodes.indexOf(name) % 3 === 0 ? high(name) : undefined),
      nodeOfNumber: (number) => nodes[number - 70_000],
    });
    const rows = [40, 3, 64].map((count) => randomRow(random, nodes.slice(0, count)));
    const kept = rows.map((row) => keep(row, [], shared));
    for (const at of [0, 1, 2, 1, 0]) {
      expect(kept[at]?.paths).toEqual(rows[at]?.paths);
      expect(kept[at]?.zones).toEqual(rows[at]?.zones);
      expect(kept[at]?.toJSON()).toEqual(rows[at]);
    }
  });

  test('has the list and the texts of others that tell the same', () => {
    const shared = sharedBy([]);
    const row = { ...wellRow(), list: listOf(names(5000).map(nameHash)) };
    const [one, other] = ['c/a', 'c/b'].map((observer) => keep({ ...row, observer }, [], shared));
    expect(one?.list).toEqual(row.list);
    expect(other?.list).toBe(one?.list);
  });

  test('is believed to probe as seldom as that and no seldomer', () => {
    const shared = sharedBy([]);
    shared.mostBelieved = { httpIntervalMs: 3000, httpTimeoutMs: 5000 };
    const kept = keepRow('c/a', sentRow(), shared);
    expect(kept).toMatchObject({ httpIntervalMs: 3000, httpTimeoutMs: 1000 });
    expect(kept?.reported).toEqual({ httpIntervalMs: 5000, httpTimeoutMs: 1000 });
  });

  test.each([
    ['nested without end', JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)],
    ['endless', Array.from({ length: 100_000 }, (_, at) => ['c/n', 0, [0, 0, at, -1]])],
    ['of texts', Array.from({ length: 60 }, (_, at) => `${at}`.repeat(2000))],
  ])('is refused where its nodes are %s', (_, nodes: unknown) => {
    expect(readFields({ nodes })).toBeUndefined();
    expect(readFields({ further: nodes })).toBeDefined();
  });

  test('forgets nodes that are listed no more', () => {
    const nodes = names(4);
    const listed = [...nodes];
    const kept = keep(randomRow(new Random(4), nodes), listed);
    listed.length = 2;
    expect(new Set(kept.paths.map(({ node }) => node))).toEqual(new Set(nodes.slice(0, 2)));
  });
});
