import { describe, expect, it } from 'vitest';
import type { RowLargeLimit } from '../../../../agent/model/row-large.js';
import {
  found,
  idsOf,
  n,
  numberOf,
  start,
  watching,
  type ClusterOptions,
  type LargeSaying,
  type PathOf,
} from './cluster.js';
import { failing, isAt, isTo } from './paths.js';

type LargePath = Omit<PathOf, 'protocol'>;

const limit: RowLargeLimit = { bytes: 1410, interfaceBytes: 1500 };
const zones = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c'];
const zoneOf = (name: string) => zones[numberOf(name) - 1];

/**
 * What agents say where large packets of one node to another are lost. A large GET fills packets both ways, so it is
 * lost on the way back too: of a node's own address the other agent tells that, of an endpoint there is none.
 */
function sayingOf(
  isLost: (path: LargePath) => boolean,
  said: (path: LargePath) => Exclude<LargeSaying, string> = () => ({ limit }),
) {
  return (path: LargePath): LargeSaying => {
    if (isLost(path)) return said(path);
    if (!isLost({ ...path, from: path.to, to: path.from })) return 'passed';
    return path.plane === 'host' ? 'untested' : { ...said(path), isBack: true };
  };
}

/** The one finding where large packets are lost from one node to another, and pass between all others. */
function one(isLost: (path: LargePath) => boolean, options: ClusterOptions = {}) {
  const large = sayingOf(isLost);
  const { findings } = found(9, { zones, large, ...options });
  expect(findings).toHaveLength(1);
  return findings[0];
}

describe('large packets that are lost where small ones pass', () => {
  it('are a pair, in the direction in which they are lost', () => {
    const finding = one(({ from, to }) => from === n(5) && to === n(3));
    expect(finding).toMatchObject({
      id: 'mtu:c/n3,c/n5',
      kind: 'mtu',
      severity: 'degraded',
      pair: [n(5), n(3)],
      direction: 'outbound',
      size: 1410,
      protocols: ['http'],
      next: ['meshprobe mtu c/n3', 'ssh 10.0.0.5 tracepath -n 10.0.0.3', 'ssh 10.0.0.5 ip -d link'],
      text: 'packets above 1,410 bytes from c/n5 (10.0.0.5) to c/n3 (10.0.0.3) vanish, and no router says so; small ones pass. The interfaces say 1,500',
    });
    expect(finding?.evidence).toMatchObject([
      { from: n(3), to: n(5), failure: 'loses large packets' },
      { from: n(5), to: n(3), failure: 'loses large packets' },
      { from: n(5), to: n(3), failure: 'loses large packets' },
    ]);
  });

  it.each<[string, (path: LargePath) => boolean, object, string]>([
    [
      'are a pair both ways',
      ({ from, to }) => [n(5), n(3)].includes(from) && [n(5), n(3)].includes(to),
      { pair: [n(3), n(5)], direction: 'both' },
      'between c/n3 (10.0.0.3) and c/n5 (10.0.0.5) vanish, and no router says so',
    ],
    [
      'are a node, inbound',
      ({ to }) => to === n(4),
      { id: 'mtu:c/n4', node: n(4), direction: 'inbound', size: 1410 },
      'to c/n4 (10.0.0.4) vanish, and no router says so, as 8 of 8 nodes that tested see it',
    ],
    [
      'are a node, outbound',
      ({ from }) => from === n(4),
      { id: 'mtu:c/n4', node: n(4), direction: 'outbound', size: 1410 },
      'from c/n4 (10.0.0.4) vanish, and no router says so, as 8 of 8 nodes that tested see it',
    ],
    [
      'are a node, both',
      ({ from, to }) => from === n(4) || to === n(4),
      { id: 'mtu:c/n4', node: n(4), direction: 'both', size: 1410 },
      'to and from c/n4 (10.0.0.4) vanish, and no router says so, as 8 of 8 nodes that tested see it',
    ],
    [
      'are two zones, one way',
      ({ from, to }) => zoneOf(from) === 'a' && zoneOf(to) === 'b',
      { id: 'mtu:a,b', zones: ['a', 'b'], direction: 'outbound' },
      'from zone a to zone b vanish, and no router says so, as 6 of 6 nodes that tested see it',
    ],
    [
      'are two zones, both ways',
      ({ from, to }) => [zoneOf(from), zoneOf(to)].sort().join('') === 'ab',
      { zones: ['a', 'b'], direction: 'both' },
      'between zone a and zone b vanish, and no router says so, as 6 of 6 nodes that tested see it',
    ],
    [
      'are a zone and all others',
      ({ from, to }) => (zoneOf(from) === 'b') !== (zoneOf(to) === 'b'),
      { zones: ['b'], direction: 'both' },
      'between the other zones and zone b vanish, and no router says so, as 9 of 9 nodes that tested see it',
    ],
    [
      'are the pod network of the cluster',
      ({ plane }) => plane === 'endpoint',
      { id: 'mtu:endpoint', plane: 'endpoint' },
      'on most paths of the cluster at endpoints vanish, and no router says so, as 9 of 9 nodes that tested see it',
    ],
    [
      'are the pod network of one node',
      ({ from, plane }) => plane === 'endpoint' && from === n(4),
      { node: n(4), plane: 'endpoint', direction: 'outbound' },
      'from c/n4 (10.0.0.4) at endpoints vanish, and no router says so, as 8 of 8 nodes that tested see it',
    ],
  ])('%s', (_, isLost, finding, words) => {
    const text = `packets above 1,410 bytes ${words}; small ones pass. The interfaces say 1,500`;
    expect(one(isLost)).toMatchObject({ ...finding, text });
  });

  it('on the pod network of the cluster are tested by a command for endpoints', () => {
    expect(one(({ plane }) => plane === 'endpoint')?.next[0]).toBe('meshprobe mtu c/n2 --endpoint');
  });

  it('are told by what was tested alone', () => {
    // Of nine nodes three looked, each at some.
    const finding = one(({ to }) => to === n(4), {
      large: ({ from, to }) => {
        if (![n(1), n(2), n(7)].includes(from)) return 'untested';
        return to === n(4) ? { limit } : [n(5), n(6)].includes(to) ? 'passed' : 'untested';
      },
    });
    expect(finding).toMatchObject({ node: n(4), seenBy: { failing: 3, of: 3 } });
  });

  it('are no larger than what was seen: one path of a node is a pair', () => {
    const finding = one(() => false, {
      large: ({ from, to }) => (from === n(1) && to === n(4) ? { limit } : 'untested'),
    });
    expect(finding).toMatchObject({ pair: [n(1), n(4)] });
  });

  it('are not told to pass where they passed before they were lost', () => {
    const passed = [4, 5, 6].map(
      (at) => ({ node: n(at), plane: 'host', ageSeconds: 500 }) as const,
    );
    const { findings } = found(9, {
      zones,
      large: ({ from, to }) =>
        zoneOf(from) !== 'a' || zoneOf(to) !== 'b' || from === n(3) ? 'passed' : { limit },
      rows: { [n(3)]: { row: { large: { lost: [], passed } } } },
    });
    expect(findings).toMatchObject([{ kind: 'mtu', zones: ['a', 'b'] }]);
  });

  it('are nothing where none are lost', () => {
    expect(found(9, { large: () => 'passed' })).toMatchObject({ findings: [], suspected: [] });
  });
});

describe('the size that is told', () => {
  const isLost = ({ from, to }: LargePath) => zoneOf(from) === 'a' && zoneOf(to) === 'b';
  const textOf = (sayings: (from: string) => Exclude<LargeSaying, string>) => {
    const large = sayingOf(isLost, ({ from }) => sayings(from));
    const { findings } = found(9, { zones, large });
    expect(findings).toHaveLength(1);
    return { text: findings[0]?.text, size: findings[0]?.size };
  };

  it('is a range where the witnesses differ', () => {
    const differing = (from: string) => ({
      bytes: [n(1), n(4)].includes(from) ? 1380 : 1410,
      interfaceBytes: [n(2), n(5)].includes(from) ? 9000 : 1500,
    });
    expect(textOf((from) => ({ limit: differing(from) }))).toEqual({
      size: undefined,
      text: 'packets above 1,380 to 1,410 bytes from zone a to zone b vanish, and no router says so, as 6 of 6 nodes that tested see it; small ones pass',
    });
  });

  it('is held against what tunnels take, and against the devices of all who tested', () => {
    const saying = (more: Partial<RowLargeLimit>) =>
      textOf(() => ({ limit: { ...limit, bytes: 1420, ...more } })).text?.split(
        'small ones pass',
      )[1];
    const taken = '. The interfaces say 1,500, exactly 80 more: as much as WireGuard takes';
    expect(saying({})).toBe(taken);
    expect(saying({ tunnels: ['vxlan'] })).toBe(taken);
    expect(saying({ tunnels: ['vxlan', 'wireguard'] })).toBe(
      `${taken}, and those who tested have such a device: its overhead may be missing in an MTU`,
    );
    const some = textOf((from) => ({
      limit: { ...limit, bytes: 1420, ...(from !== n(1) && { tunnels: ['wireguard'] as const }) },
    }));
    expect(some.text?.split('small ones pass')[1]).toBe(taken);
    expect(saying({ bytes: 1411 })).toBe('. The interfaces say 1,500');
  });

  it('is left out where nobody found one', () => {
    expect(textOf(() => ({}))).toEqual({
      size: undefined,
      text: 'large packets from zone a to zone b are lost, as 6 of 6 nodes that tested see it; small ones pass',
    });
  });

  it('comes with the router that names it', () => {
    const routerOf = (from: string) => (from === n(1) ? '10.3.2.1' : '10.3.3.1');
    expect(textOf((from) => ({ limit: { ...limit, saidBy: routerOf(from) } }))).toEqual({
      size: 1410,
      text: 'packets above 1,410 bytes from zone a to zone b are lost, though 2 routers name that limit, such as 10.3.2.1, as 6 of 6 nodes that tested see it; small ones pass. The interfaces say 1,500',
    });
  });

  it.each([68, 575])('is not %d, which small packets would not pass', (bytes) => {
    expect(
      textOf((from) => ({ limit: from === n(1) ? { ...limit, bytes } : limit })),
    ).toMatchObject({ size: 1410 });
  });

  it('is that of nearly all: one who lies changes nothing', () => {
    const lie = {
      plane: 'host',
      ageSeconds: 60,
      limit: { bytes: 600, interfaceBytes: 65_535 },
    } as const;
    const lies = [4, 5, 6, 7, 8, 9].map((at) => ({ node: n(at), ...lie }));
    const { findings } = found(9, {
      zones,
      large: ({ to }) => (to === n(4) ? { limit } : 'passed'),
      rows: { [n(2)]: { row: { large: { lost: lies, passed: [] } } } },
    });
    const finding = findings.find(({ node }) => node === n(4));
    expect(finding).toMatchObject({ size: 1410 });
    expect(finding?.text).toContain('The interfaces say 1,500');
  });
});

describe('the nodes in doubt', () => {
  it('are both ends of each loss, with the time of the last one', () => {
    const { suspected } = found(9, {
      large: ({ from, to }) =>
        to === n(4) && (from === n(2) || from === n(3))
          ? { ageSeconds: from === n(2) ? 10 : 90 }
          : 'untested',
    });
    const agoS = suspected.map(({ node, lostMs }) => [node, (start - lostMs) / 1000]);
    // A row is two seconds old.
    expect(Object.fromEntries(agoS)).toEqual({ [n(2)]: 12, [n(3)]: 92, [n(4)]: 12 });
  });

  it('are not those that are not listed, and not too many', () => {
    const strange = { node: 'c/stranger', plane: 'host', ageSeconds: 5 } as const;
    const rows = { [n(2)]: { row: { large: { lost: [strange], passed: [] } } } };
    expect(found(9, { rows }).suspected).toEqual([]);
    expect(found(100, { large: () => ({}) }).suspected).toHaveLength(64);
  });
});

describe('large packets beside other trouble', () => {
  it('are not told of where the same paths fail', () => {
    const large = ({ to }: LargePath) => (to === n(4) ? { limit } : 'passed');
    const { findings } = found(9, { zones, says: failing(isTo(n(4))), large });
    expect(findings.map(({ kind }) => kind)).toEqual(['node-isolated']);
  });

  it('are told of where only ping fails', () => {
    const large = ({ to }: LargePath) => (to === n(4) ? {} : 'passed');
    const { findings } = found(9, { zones, says: failing(isAt(n(4), 'icmp')), large });
    expect(findings.map(({ kind }) => kind)).toEqual(['icmp-filtered', 'mtu']);
  });
});

describe('a finding about large packets', () => {
  it('opens when the others have looked, and closes when the paths are mended', () => {
    const isLost = ({ from, to }: LargePath) => zoneOf(from) === 'a' && zoneOf(to) === 'b';
    const look = watching(9);
    const openAt: number[] = [];
    for (let second = 0; second <= 90; second++) {
      const large = (path: LargePath): LargeSaying =>
        isLost(path) && second < 60 ? { limit, ageSeconds: second } : 'passed';
      const ids = idsOf(look(second, { zones, large }));
      if (ids.length > 0) openAt.push(second);
      expect(ids.every((id) => id === 'mtu:a,b')).toBe(true);
    }
    expect([openAt[0], openAt.at(-1)]).toEqual([expect.any(Number), 59]);
    expect(openAt[0]).toBeGreaterThan(15);
    expect(openAt[0]).toBeLessThan(25);
  });
});
