import { describe, expect, test } from 'vitest';
import { indexCluster } from '../../../../agent/diagnosis/nouns/cluster-index.js';
import {
  found,
  makeNodes,
  n,
  namesOf,
  numberOf,
  rowsOf,
  start,
  type ClusterOptions,
  type PathOf,
  type Saying,
} from './cluster.js';
import { failing, isFrom, isOn, isTo, type Which } from './paths.js';

const numbers = Array.from({ length: 12 }, (_, at) => at + 1);
/** Three zones, and labels that cut across them. */
const zones = numbers.map((number) => 'abc'[Math.floor((number - 1) / 4)] ?? '');
const newKernel = [2, 5, 7, 12].map(n);
const labels = (number: number) => ({
  kernel: newKernel.includes(n(number)) ? '6.8.0-45' : '6.8.0-31',
  rack: `r${number % 3}`,
  os: newKernel.includes(n(number)) ? 'Debian 13' : 'Debian 12',
});
const nodes = makeNodes(12, zones).map((node, at) => ({ ...node, labels: labels(at + 1) }));
const groupBy = ['zone', 'kernel', 'rack', 'os'];

const inGroup = (node: string) => newKernel.includes(node);
const touches = ({ from, to }: Pick<PathOf, 'from' | 'to'>) => inGroup(from) || inGroup(to);
const findings = (says: (path: PathOf) => Saying, more: ClusterOptions = {}) =>
  found(12, { nodes, groupBy, says, ...more }).findings;
const broken = (fails: Which, more: ClusterOptions = {}) => findings(failing(fails), more);
/** The one thing that is found. */
const only = (fails: Which, more: ClusterOptions = {}) => {
  const [finding, ...others] = broken(fails, more);
  expect(others).toEqual([]);
  return finding;
};
const theFour = 'the 4 nodes with kernel 6.8.0-45 (os=Debian 13 too) and no other';
const noPing: Which = ({ to, protocol }) => inGroup(to) && protocol === 'icmp';

const kernel = { label: 'kernel', value: '6.8.0-45', nodes: 4, like: ['os=Debian 13'] };

const isCut: Which = ({ from, to }) => inGroup(from) !== inGroup(to);

describe('what the nodes with one value of a label have in common', () => {
  test.each<[string, Which, string, string]>([
    [
      'echoes that are not answered',
      noPing,
      'icmp-filtered:kernel=6.8.0-45',
      'do not answer ping, as 12 of 12 nodes see it',
    ],
    [
      'a pod network that is broken both ways',
      (path) => touches(path) && path.plane === 'endpoint',
      'endpoint-plane:kernel=6.8.0-45',
      'do not answer at their endpoints, nor are they answered, as 12 of 12 nodes see it',
    ],
    [
      'agents that are down',
      (path) => inGroup(path.to) && isOn('host', 'http')(path),
      'agent:kernel=6.8.0-45',
      'do not answer at port 4240 at their node IPs, as 12 of 12 nodes see it',
    ],
    [
      'GETs that they send and that are lost',
      ({ from, protocol }) => inGroup(from) && protocol === 'http',
      'http-filtered:kernel=6.8.0-45',
      'cannot reach the others by HTTP, as 4 of 4 nodes see it',
    ],
  ])('%s', (_, fails, id, words) => {
    const text = `${theFour} ${words}`;
    const finding = only(fails);
    expect(finding).toMatchObject({ id, kind: 'group', severity: 'broken', group: kernel, text });
    expect(finding).not.toHaveProperty('node');
    expect(finding?.evidence).toHaveLength(10);
  });

  test.each([
    ['HTTP', () => true, 'do not answer at port 4240'],
    [
      'HTTP at node IPs',
      ({ plane }: PathOf) => plane === 'host',
      'do not answer at port 4240 at their node IPs',
    ],
  ])('what fails by %s is told as no more where nothing else was probed', (_, isProbed, words) => {
    const [finding, ...others] = findings((path) => {
      if (path.protocol === 'icmp' || !isProbed(path)) return 'unknown';
      return inGroup(path.to) ? 'unreachable' : undefined;
    });
    expect(others).toEqual([]);
    expect(finding?.text).toBe(`${theFour} ${words}, as 12 of 12 nodes see it`);
  });

  test.each<[string, Which, string, string]>([
    [
      'both ways',
      isCut,
      'do not answer the others at all, nor are they answered, as 12 of 12 nodes see it; they reach each other',
      'both',
    ],
    [
      'at endpoints',
      (path) => isCut(path) && isOn('endpoint')(path),
      'do not answer the others at their endpoints, nor are they answered, as 12 of 12 nodes see it; they reach each other',
      'both',
    ],
    [
      'by ping',
      (path) => isCut(path) && isOn('icmp')(path),
      'do not answer the others by ping, nor are they answered, as 12 of 12 nodes see it; they reach each other',
      'both',
    ],
    [
      'one way',
      ({ from, to }) => inGroup(from) && !inGroup(to),
      'cannot reach the others, as 4 of 4 nodes see it; they reach each other',
      'outbound',
    ],
  ])('a cut from all others, %s', (_, fails, text, direction) => {
    // Of three values none has all the others.
    const kernelOf = (number: number) =>
      inGroup(n(number)) ? '6.8.0-45' : number % 2 === 0 ? '6.8.0-31' : '6.8.0-22';
    const three = nodes.map((node, at) => ({ ...node, labels: { kernel: kernelOf(at + 1) } }));
    const all = broken(fails, { nodes: three, groupBy: ['zone', 'kernel'] });
    expect(all).toMatchObject([
      {
        kind: 'group',
        direction,
        group: { label: 'kernel', value: '6.8.0-45', nodes: 4 },
        text: `the 4 nodes with kernel 6.8.0-45 and no other ${text}`,
      },
    ]);
  });

  test('that they are down', () => {
    const text = `${theFour} do not answer at all, as 8 of 8 nodes see it`;
    expect(only(touches, { without: newKernel })).toMatchObject({ kind: 'group', text });
  });

  test.each([
    ['lossy', 'lose probes by ICMP'],
    ['slow', 'have become slow by ICMP'],
  ] as const)('losses, and a risen round trip: %s', (trouble, words) => {
    const all = findings((path) =>
      touches(path) && path.protocol === 'icmp' ? { state: trouble, ageSeconds: 600 } : undefined,
    );
    const text = `${theFour} ${words}, as 12 of 12 nodes see it`;
    const id = `${trouble}:kernel=6.8.0-45`;
    expect(all).toMatchObject([{ id, kind: 'group', severity: 'degraded', group: kernel, text }]);
  });

  test('large packets', () => {
    const all = findings(() => undefined, {
      large: (path) =>
        touches(path) ? { limit: { bytes: 1400, interfaceBytes: 1500 } } : 'passed',
    });
    expect(all).toMatchObject([
      {
        id: 'mtu:kernel=6.8.0-45',
        kind: 'group',
        severity: 'degraded',
        size: 1400,
        text: `${theFour} lose packets above 1,400 bytes, as 12 of 12 nodes that tested see it; small ones pass`,
      },
    ]);
  });
});

describe('where the row of one of its nodes is missing', () => {
  const sends = ({ from, protocol }: PathOf) => inGroup(from) && protocol === 'http';

  test('it is told of the others, and that it is not known of that one', () => {
    const text = `3 of ${theFour} cannot reach the others by HTTP, as 3 of 3 nodes see it; of 1 it is not known`;
    const finding = only(sends, { without: [n(5)] });
    expect(finding).toMatchObject({ kind: 'group', group: kernel, text });
  });

  test('it is no group if it is known of less than two thirds of them', () => {
    const kinds = broken(sends, { without: [n(5), n(7)] }).map(({ kind }) => kind);
    expect(kinds).not.toContain('group');
  });
});

test('large packets are told of a group, though most that is known of the others is what they lose with it', () => {
  const large = findings(() => undefined, {
    large: (path) => {
      if (touches(path)) return { limit: { bytes: 1400, interfaceBytes: 1500 } };
      return numberOf(path.from) % 3 === numberOf(path.to) % 3 ? 'passed' : 'untested';
    },
  });
  expect(large).toMatchObject([{ kind: 'group', group: kernel }]);
});

describe('where one of its nodes cannot send, and the rows of the others are older', () => {
  const asked = (ageMs: number, of = groupBy) =>
    found(12, {
      nodes,
      groupBy: of,
      says: failing(isFrom(n(2), 'http'), { ageSeconds: 20 }),
      rows: rowsOf(newKernel.slice(1), { ageMs, bodyAgeMs: ageMs }),
    }).outdated;

  test('these rows are asked for: they tell whether it is so with all of them', () => {
    expect(asked(40_000, ['kernel'])).toEqual([n(5), n(7), n(12)]);
  });

  test('they are not asked for once they tell of all probes since, nor where nothing groups the nodes', () => {
    expect(asked(3000, ['kernel'])).toEqual([]);
    expect(asked(40_000, [])).toEqual([]);
  });
});

describe('two values that the nodes have in common', () => {
  /** Four racks of the same names in each of three zones, four nodes in each. */
  const many = makeNodes(48).map((node, at) => ({
    ...node,
    zone: 'abc'[at % 3] ?? '',
    labels: { rack: `r${Math.floor(at / 3) % 4}`, kernel: at % 5 === 0 ? '6.9' : '6.8' },
  }));
  const inBoth = (node: string) =>
    many.some(({ name, zone, labels: { rack } }) => name === node && zone === 'b' && rack === 'r2');
  const ofMany = { nodes: many, groupBy: ['zone', 'rack', 'kernel'] };
  const findingsOf = (fails: Which) => found(48, { ...ofMany, says: failing(fails) }).findings;
  const noPingOfBoth: Which = ({ to, protocol }) => inBoth(to) && protocol === 'icmp';

  test('are told where all nodes of neither have the trouble', () => {
    expect(findingsOf(noPingOfBoth)).toMatchObject([
      {
        id: 'icmp-filtered:zone=b,rack=r2',
        kind: 'group',
        group: { label: 'zone', value: 'b', and: { label: 'rack', value: 'r2' }, nodes: 4 },
        text: 'the 4 nodes of zone b with rack r2 and no other do not answer ping, as 48 of 48 nodes see it',
      },
    ]);
  });

  test('explain no missing row of a node that has one of them alone', () => {
    const silent =
      many.find(({ zone, labels }) => zone === 'b' && labels.rack === 'r1')?.name ?? '';
    const options = { ...ofMany, says: failing(noPingOfBoth), without: [silent] };
    const silentMs = new Map([[silent, 120_000]]);
    const previous = found(48, { ...options, input: { silentMs } });
    const input = { silentMs, previous, now: start + 20_000 };
    const all = found(48, { ...options, input }).findings;
    expect(all.map(({ kind }) => kind)).toEqual(['group', 'observers-missing']);
  });

  test('are told where so many have the trouble that it looks as if all with one of them had', () => {
    const few = makeNodes(15).map((node, at) => ({
      ...node,
      labels: { pool: at < 8 ? 'p1' : 'p2', tier: at < 7 || at > 12 ? 't1' : 't2' },
    }));
    const ofBoth = namesOf(7);
    const says = failing((path) => ofBoth.includes(path.to) && isOn('host', 'icmp')(path));
    const all = found(15, { nodes: few, groupBy: ['pool', 'tier'], says }).findings;
    expect(all).toMatchObject([{ kind: 'group', group: { value: 'p1', and: { value: 't1' } } }]);
  });

  test('are not told where one says it', () => {
    const rack = (node: string) =>
      many.some(({ name, labels }) => name === node && labels.rack === 'r2');
    const [finding, ...others] = findingsOf(({ to, protocol }) => rack(to) && protocol === 'icmp');
    expect(others).toEqual([]);
    expect(finding?.group).toEqual({ label: 'rack', value: 'r2', nodes: 12 });
  });

  test('are none where one of these nodes is well', () => {
    const first = many.find(({ name }) => inBoth(name))?.name;
    const some = findingsOf((path) => noPingOfBoth(path) && path.to !== first);
    expect(some.map(({ kind }) => kind)).toEqual(Array(3).fill('icmp-filtered'));
  });
});

test('of two labels with the same nodes the first is told, and the other is named', () => {
  expect(broken(noPing, { groupBy: ['zone', 'os', 'kernel'] })).toMatchObject([
    {
      id: 'icmp-filtered:os=Debian 13',
      group: { label: 'os', value: 'Debian 13', nodes: 4, like: ['kernel=6.8.0-45'] },
    },
  ]);
});

test('one value that looks like two is another group than two', () => {
  const hostile = nodes.map((node, at) => ({
    ...node,
    labels: { kernel: at < 3 ? 'a,rack=r1' : 'a', rack: at % 2 === 0 ? 'r1' : 'r2' },
  }));
  const { groups, groupNumberOf } = indexCluster(hostile, ['kernel', 'rack']);
  expect(groups.length).toBeGreaterThan(3);
  expect(groupNumberOf.size).toBe(groups.length);
});

describe('it is no group', () => {
  const kindsOf = (all: ReturnType<typeof findings>) => all.map(({ kind }) => kind).sort();

  test('where one node alone has a value', () => {
    const alone = nodes.map((node) => ({ ...node, labels: { serial: node.name } }));
    const all = broken(isTo(n(2), 'icmp'), { nodes: alone, groupBy: ['serial'] });
    expect(all).toMatchObject([{ kind: 'icmp-filtered', node: n(2) }]);
    expect(all[0]).not.toHaveProperty('group');
  });

  test('where two nodes fail that happen to be one', () => {
    const two = namesOf(2);
    const paired = nodes.map((node) => ({
      ...node,
      labels: { ...node.labels, pool: two.includes(node.name) ? 'p1' : 'p2' },
    }));
    const all = broken(({ to, protocol }) => two.includes(to) && protocol === 'icmp', {
      nodes: paired,
      groupBy: [...groupBy, 'pool'],
    });
    expect(kindsOf(all)).toEqual(['icmp-filtered', 'icmp-filtered']);
  });

  test('where one of its nodes is well', () => {
    const all = broken((path) => noPing(path) && path.to !== n(2));
    expect(kindsOf(all)).toEqual(['icmp-filtered', 'icmp-filtered', 'icmp-filtered']);
  });

  test('where a zone is cut off, or two are', () => {
    const inA = (node: string) => namesOf(4).includes(node);
    expect(kindsOf(broken(({ from, to }) => inA(from) !== inA(to)))).toEqual(['zones']);
    const inB = (node: string) => [5, 6, 7, 8].map(n).includes(node);
    const cut = ({ from, to }: PathOf) => (inA(from) && inB(to)) || (inB(from) && inA(to));
    expect(kindsOf(broken(cut))).toEqual(['zones']);
  });

  test('where it is so with most of the cluster', () => {
    expect(kindsOf(broken(isOn('icmp')))).toEqual(['icmp-filtered']);
  });
});

test('another fault beside it is told, and counted among the others', () => {
  const all = broken((path) => noPing(path) || path.to === n(9), { without: [n(9)] });
  expect(all).toMatchObject([{ kind: 'group' }, { kind: 'node-down', node: n(9) }]);
  expect(all[0]?.text).toContain('and 1 of 8 others do not answer ping');
});
