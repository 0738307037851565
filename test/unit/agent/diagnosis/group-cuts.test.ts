import { describe, expect, test } from 'vitest';
import {
  found,
  makeNodes,
  n,
  rowsOf,
  type ClusterOptions,
  type PathOf,
  type Saying,
} from './cluster.js';
import { failing, isAt, type Which } from './paths.js';

const numbers = Array.from({ length: 16 }, (_, at) => at + 1);
/** Three zones, and roles that cut across them: ten workers, three with GPUs, three others. */
const zones = numbers.map((number) => 'abc'[(number - 1) % 3] ?? '');
const roleAt = (at: number) => (at < 10 ? 'worker' : at < 13 ? 'gpu' : 'infra');
const roles = new Map(numbers.map((number, at) => [n(number), roleAt(at)]));
const nodes = makeNodes(16, zones).map((node, at) => ({
  ...node,
  labels: { role: roleAt(at), os: roleAt(at) === 'gpu' ? 'o2' : 'o1' },
}));
const groupBy = ['zone', 'os', 'role'];

const findings = (says: (path: PathOf) => Saying, more: ClusterOptions = {}) =>
  found(16, { nodes, groupBy, says, ...more }).findings;
const broken = (fails: Which, more: ClusterOptions = {}) => findings(failing(fails), more);
const ofRole = (role: string) => [...roles.keys()].filter((name) => roles.get(name) === role);

const isFromTo = ({ from, to }: PathOf, a: string, b: string) =>
  roles.get(from) === a && roles.get(to) === b;
const crosses = (path: PathOf) =>
  isFromTo(path, 'gpu', 'worker') || isFromTo(path, 'worker', 'gpu');

const gpu = { label: 'role', value: 'gpu', nodes: 3, like: ['os=o2'] };
const worker = { label: 'role', value: 'worker', nodes: 10 };
const base = { id: 'groups:role=gpu,role=worker', kind: 'group', severity: 'broken' };
const [gpuText, workerText] = [
  'the 3 nodes with role gpu (os=o2 too)',
  'the 10 nodes with role worker',
];

describe('paths between the nodes with two values of one label', () => {
  test.each([
    ['all of them', crosses, ', as 13 of 13 nodes see it', undefined],
    [
      'those at endpoints',
      (path: PathOf) => crosses(path) && path.plane === 'endpoint',
      ' at endpoints, as 13 of 13 nodes see it',
      'endpoint',
    ],
  ])('both ways: %s', (_, fails, how, plane) => {
    const [finding, ...others] = broken(fails);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      ...base,
      groups: [gpu, worker],
      direction: 'both',
      text: `${gpuText} and ${workerText} cannot reach each other${how}`,
    });
    expect(finding?.plane).toBe(plane);
    expect(finding).not.toHaveProperty('group');
    expect(finding?.next[0]).toMatch(/^ssh \S+ ping -c 3 /);
  });

  test('one way: the first of the two is the one whose probes fail', () => {
    expect(broken((path) => isFromTo(path, 'worker', 'gpu'))).toMatchObject([
      {
        ...base,
        groups: [worker, gpu],
        direction: 'outbound',
        text: `${workerText} cannot reach ${gpuText}, as 10 of 10 nodes see it; the reverse works`,
      },
    ]);
    expect(broken((path) => isFromTo(path, 'gpu', 'worker'))).toMatchObject([
      {
        ...base,
        groups: [gpu, worker],
        direction: 'outbound',
        text: `${gpuText} cannot reach ${workerText}, as 3 of 3 nodes see it; the reverse works`,
      },
    ]);
  });

  test('as one side alone sees it: of the reverse nothing is claimed', () => {
    const [finding, ...others] = broken(crosses, { without: ofRole('gpu') });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      ...base,
      text: `${workerText} cannot reach ${gpuText}, as 10 of 10 nodes see it; of the reverse nothing is known`,
    });
    expect(finding).not.toHaveProperty('direction');
  });

  test('as one side alone sees it, with rows of the other one from before: the reverse is not said to work', () => {
    const says = failing((path) => isFromTo(path, 'worker', 'gpu'), { ageSeconds: 6 });
    const textOf = (ageMs: number) =>
      findings(says, { rows: rowsOf(ofRole('gpu'), { ageMs }) }).map(({ text }) => text);
    const text = `${workerText} cannot reach ${gpuText}, as 10 of 10 nodes see it`;
    expect(textOf(9000)).toEqual([`${text}; of the reverse nothing is known`]);
    expect(textOf(0)).toEqual([`${text}; the reverse works`]);
  });

  test('beside a node that is down', () => {
    const all = broken((path) => crosses(path) || path.to === n(16), { without: [n(16)] });
    expect(all).toMatchObject([base, { kind: 'node-down', node: n(16) }]);
  });
});

describe('it is no cut between groups', () => {
  const kinds = (fails: (path: PathOf) => boolean, more: ClusterOptions = {}) =>
    broken(fails, more).map(({ kind }) => kind);

  test('where both are zones: these are told', () => {
    const racks = nodes.map((node) => ({
      ...node,
      labels: { rack: `r-${node.zone ?? ''}` },
    }));
    const zoneOf = new Map(racks.map(({ name, zone }) => [name, zone]));
    const fails = ({ from, to }: PathOf) =>
      [zoneOf.get(from), zoneOf.get(to)].sort().join() === 'a,b';
    for (const labels of [['zone', 'rack'], ['rack', 'zone'], ['rack']])
      expect(kinds(fails, { nodes: racks, groupBy: labels })).toEqual(['zones']);
  });

  test('where the nodes on one side reach nobody', () => {
    const isGpu = (node: string) => roles.get(node) === 'gpu';
    const all = broken(({ from, to, plane }) => (isGpu(from) || isGpu(to)) && plane === 'endpoint');
    expect(all).toMatchObject([{ kind: 'group', group: { nodes: 3 } }]);
    expect(all[0]).not.toHaveProperty('groups');
  });

  test.each(['are of before', 'never came, though its nodes are heard'])(
    'where the rows on one side %s: all nodes there may be down',
    (how) => {
      const isNear = (node: string) => roles.get(node) === 'worker';
      const far = [...roles.keys()].filter((node) => !isNear(node));
      const fails = ({ from, to }: PathOf) => isNear(from) && !isNear(to);
      const isOfBefore = how === 'are of before';
      const all = findings(failing(fails, { ageSeconds: 10 }), {
        nodes: nodes.map((node) => ({
          ...node,
          labels: { side: isNear(node.name) ? 'a' : 'b' },
        })),
        groupBy: ['side'],
        rows: isOfBefore
          ? rowsOf(far, { ageMs: 60_000 })
          : rowsOf(ofRole('worker'), { row: { heard: far } }),
        ...(!isOfBefore && { without: far }),
      });
      expect(all).toMatchObject([{ kind: 'group', group: { value: 'b', nodes: 6 } }]);
    },
  );

  test('where one node of a side is affected', () => {
    const all = broken((path) => crosses(path) && isAt(n(11))(path));
    expect(all.every(({ groups }) => groups === undefined)).toBe(true);
    expect(all).not.toEqual([]);
  });

  test('where packets are lost and not all', () => {
    const all = findings((path) =>
      crosses(path) ? { state: 'lossy', ageSeconds: 600 } : undefined,
    );
    expect(all.every(({ groups }) => groups === undefined)).toBe(true);
  });
});
