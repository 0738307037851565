import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import { nameHash } from '../../../../agent/model/name-hash.js';
import { boundRow } from '../../../../agent/peers/row/build-row.js';
import { Random } from '../../../fuzz/random.js';
import { clusterOf, namesOf, numberOf, type PathOf, type Saying } from './cluster.js';

const zoneOf = (name: string) => ['a', 'b', 'c'][numberOf(name) % 3] ?? '';

/** What is found where rows have no room for more nodes than real ones. */
function found(nodes: number, says: (path: PathOf) => Saying, without: readonly string[] = []) {
  const input = clusterOf(nodes, { says, without, zones: namesOf(nodes).map(zoneOf) });
  const rows = [...input.rows].map((one) => ({
    ...one,
    row: one.row.observer === input.localName ? one.row : boundRow(one.row, { zoneOf }),
  }));
  const { findings } = diagnose({ ...input, rows });
  return findings.map(({ id, text }) => ({ id, text }));
}

/** A number from 0 to 1 for each path. */
const chanceOf = ({ from, to, plane, protocol }: PathOf) =>
  nameHash(`${protocol} ${to} ${plane} ${from}`) / 2 ** 32;

describe.each([
  ['lossy', { state: 'lossy', ageSeconds: 60, lost: 6 }, 'lose probes'],
  ['slow', { state: 'slow', ageSeconds: 900 }, 'have become slow'],
] as const)('%s', (kind, saying, words) => {
  it.each([60, 200])('are three in ten of %i nodes', (size) => {
    const isSo = (name: string) => numberOf(name) % 10 >= 7;
    const says = ({ from, to }: PathOf) => (isSo(from) || isSo(to) ? saying : undefined);
    const told = found(size, says);
    expect(told.map(({ id }) => id)).toEqual([`${kind}:many`]);
    expect(told[0]?.text).toContain(`${0.3 * size} of ${size} nodes ${words}`);
  });

  it.each([60, 200])('are three in ten of all paths of %i nodes: no single node is', (size) => {
    const told = found(size, (path) => (chanceOf(path) < 0.3 ? saying : undefined));
    expect(told.map(({ id }) => id)).toEqual([`${kind}:all`]);
    expect(told[0]?.text).toMatch(
      new RegExp(`^(29|30|31) % of the known paths of the cluster ${words}:`),
    );
  });
});

describe('before all paths of a third of 60 nodes have lost some', () => {
  it.each([0.2, 0.25, 0.3])('no zones are told, nor any other node, at a share of %d', (share) => {
    const random = new Random(1);
    const lossy = new Set(namesOf(60).filter(() => random.next() < 1 / 3));
    const says = ({ from, to }: PathOf) =>
      (lossy.has(from) || lossy.has(to)) && random.next() < share ? ('lossy' as const) : undefined;
    const { findings } = diagnose(clusterOf(60, { says, zones: namesOf(60).map(zoneOf) }));
    expect(findings.filter((one) => one.zones)).toEqual([]);
    const told = findings.flatMap(({ node, examples = [] }) => [node ?? [], ...examples].flat());
    expect(told.filter((name) => !lossy.has(name))).toEqual([]);
    expect(Math.max(0, ...findings.map(({ count = 0 }) => count))).toBeLessThanOrEqual(lossy.size);
  });
});

describe('where no row but the own one has room for all that lose packets, and six in ten of their paths have by now', () => {
  const size = 900;
  const ofPaths = (isAt: (from: number, to: number) => boolean) => {
    const random = new Random(1);
    const says = ({ from, to }: PathOf) =>
      isAt(numberOf(from), numberOf(to)) && random.next() < 0.6 ? ('lossy' as const) : undefined;
    return found(size, says).map(({ id }) => id);
  };

  it('three in ten nodes are told, and not the one that asks', () => {
    expect(ofPaths((from, to) => from % 10 >= 7 || to % 10 >= 7)).toEqual(['lossy:many']);
  });

  it('two zones are told', () => {
    const isAcross = (from: number, to: number) => from % 3 !== to % 3;
    expect(ofPaths((from, to) => isAcross(from, to) && from % 3 < 2 && to % 3 < 2)).toEqual([
      'lossy:a,b',
    ]);
  });
});

it('losses of the overlay of 200 nodes are told by the seven agents that run there', () => {
  const says = ({ plane }: PathOf) => (plane === 'endpoint' ? 'lossy' : undefined);
  expect(found(200, says, namesOf(200).slice(7)).map(({ id }) => id)).toEqual(['lossy:endpoint']);
});

it.each([60, 200])('four in five of %i nodes are down: it is no plane that fails', (size) => {
  const dead = namesOf(size).filter((name) => numberOf(name) % 5 !== 1);
  const says = ({ to }: PathOf) => (dead.includes(to) ? 'unreachable' : undefined);
  expect(found(size, says, dead).map(({ id }) => id)).toEqual(['node-down:many']);
});
