import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import { nameHash } from '../../../../agent/model/name-hash.js';
import { maxRowNodes } from '../../../../agent/model/row.js';
import { boundRow } from '../../../../agent/peers/row/build-row.js';
import { clusterOf, idsOf, namesOf, numberOf, type PathOf, type Saying } from './cluster.js';

const size = 120;
const names = namesOf(size);
/** No row names these by their hashes where it has no room for all. */
const highest = [...names].sort((a, b) => nameHash(b) - nameHash(a));
const [node = '', other = ''] = highest;
const many = highest.slice(0, 50);
const zoneOf = (name: string) => ['a', 'b', 'c'][numberOf(name) % 3] ?? '';
const zonesOf = ({ from, to }: PathOf) => [zoneOf(from), zoneOf(to)].sort().join();
const isOfNode = ({ from, to }: PathOf) => from === node || to === node;

const dead = { state: 'unreachable', ageSeconds: 60 } as const;
const refused = { ...dead, failure: 'refused' } as const;
const lossy = { state: 'lossy', ageSeconds: 60, lost: 6 } as const;
const slow = { state: 'slow', ageSeconds: 900 } as const;

type Says = (path: PathOf) => Saying | false;

/** What is so of many nodes, and the finding about it. */
const crowds: readonly (readonly [what: string, id: string, says: Says])[] = [
  ['all paths lose packets', 'lossy:all', () => lossy],
  ['the overlay loses packets', 'lossy:endpoint', (path) => path.plane === 'endpoint' && lossy],
  ['all paths are slow', 'slow:all', () => slow],
  ['ICMP is filtered', 'icmp-filtered:all', (path) => path.protocol === 'icmp' && dead],
  [
    'a zone is cut off',
    'zones:b',
    (path) => zonesOf(path).includes('b') && zonesOf(path) !== 'b,b' && dead,
  ],
];

/** Faults of one node, or of several, with their findings and the nodes without a row. */
const faults: readonly (readonly [
  what: string,
  ids: readonly string[],
  without: readonly string[],
  says: (path: PathOf) => Saying | false,
])[] = [
  ['a node is down', [`node:${node}`], [node], ({ to }) => to === node && dead],
  ['a node sends nothing', [`node:${node}`], [], ({ from }) => from === node && dead],
  ['no request reaches a node', [`node:${node}`], [], ({ to }) => to === node && dead],
  [
    'an agent is gone',
    [`agent:${node}`],
    [node],
    ({ to, plane, protocol }) => to === node && plane === 'host' && protocol === 'http' && refused,
  ],
  [
    'the tunnel of a node is cut',
    [`endpoint-plane:${node}`],
    [],
    (path) => isOfNode(path) && path.plane === 'endpoint' && dead,
  ],
  [
    'two nodes cannot reach each other',
    [`pair:${[node, other].sort().join()}`],
    [],
    (path) => isOfNode(path) && (path.from === other || path.to === other) && dead,
  ],
];

/** The ids of the findings of an agent where rows name no more nodes than they have room for, and how many paths none explains. */
function told(...of: Parameters<typeof diagnosed>) {
  const output = diagnosed(...of);
  return { ids: idsOf(output).sort(), unexplained: output.unexplained };
}

function diagnosed(says: (path: PathOf) => Saying, without: readonly string[], nodes = size) {
  const all = namesOf(nodes);
  const localName = all.find((name) => !without.includes(name) && name !== node) ?? '';
  const zones = all.map(zoneOf);
  const input = clusterOf(nodes, { says, zones, without, input: { localName } });
  const rows = [...input.rows].map((one) =>
    one.row.observer === localName ? one : { ...one, row: boundRow(one.row, { zoneOf }) },
  );
  expect(rows.some(({ row }) => row.omittedNodes > 0)).toBe(true);
  const output = diagnose({ ...input, rows });
  return output;
}

describe.each(crowds)(
  `of more nodes than the ${maxRowNodes} that a row names, %s`,
  (_, id, says) => {
    test.each(faults)('and %s', (__, ids, without, fails) => {
      // Where a zone is cut off, two nodes on both sides of the cut are no pair of their own.
      const areCut =
        id === 'zones:b' && ids[0]?.startsWith('pair') && zoneOf(node) !== zoneOf(other);
      expect(told((path) => fails(path) || says(path) || undefined, without)).toEqual({
        ids: [...(areCut ? [] : ids), id].sort(),
        unexplained: 0,
      });
    });
  },
);

test('a node that sends nothing explains also what its row only counts', () => {
  const says = ({ from }: PathOf) => (from === node ? dead : undefined);
  expect(told(says, [])).toEqual({ ids: [`node:${node}`], unexplained: 0 });
});

test('more nodes are down than a row has room for beside the lowest hashes: it names these alone, as a sample', () => {
  const says = ({ to }: PathOf) => (many.includes(to) ? dead : lossy);
  expect(told(says, many).ids).toEqual(['lossy:all', 'node-down:many']);
});

test('paths that are down for a moment between zones that lose packets are no finding', () => {
  const down = { ...dead, ageSeconds: 20 };
  const isDown = ({ from, to }: PathOf) => nameHash(`${from} ${to}`) % 80 === 0;
  const says = (path: PathOf) => {
    if (zonesOf(path) !== 'b,c') return undefined;
    return path.plane === 'host' && path.protocol === 'http' && isDown(path) ? down : lossy;
  };
  expect(told(says, [], 450)).toEqual({ ids: ['lossy:b,c'], unexplained: 0 });
});

test('where no other row has room for a node, it is not said that nobody else looks', () => {
  const down = highest.slice(1, 80);
  const says = ({ to, plane, protocol }: PathOf) =>
    down.includes(to)
      ? dead
      : to === node && plane === 'host' && protocol === 'http'
        ? refused
        : undefined;
  const { findings } = diagnosed(says, [...down, node]);
  expect(findings.find((one) => one.node === node)?.text).toContain(
    'the only node that tells of it',
  );
});
