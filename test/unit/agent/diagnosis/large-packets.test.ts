import { describe, expect, it } from 'vitest';
import type { RowLargeLimit } from '../../../../agent/model/row-large.js';
import { clusterOf, found, n, start, type LargeSaying, type PathOf } from './cluster.js';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';

type Options = NonNullable<Parameters<typeof found>[1]>;
type LargePath = Omit<PathOf, 'protocol'>;

const limit: RowLargeLimit = { bytes: 1410, interfaceBytes: 1500 };
const zones = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c'];
const zoneOf = (name: string) => zones[Number(name.slice(3)) - 1];

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
function one(isLost: (path: LargePath) => boolean, options: Options = {}) {
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
    });
    expect(finding?.text).toMatchInlineSnapshot(
      `"packets above 1,410 bytes from c/n5 (10.0.0.5) to c/n3 (10.0.0.3) vanish, and no router says so; small ones pass. The interfaces say 1,500"`,
    );
    expect(finding?.evidence).toMatchObject([
      { from: n(3), to: n(5), failure: 'loses large packets' },
      { from: n(5), to: n(3), failure: 'loses large packets' },
      { from: n(5), to: n(3), failure: 'loses large packets' },
    ]);
  });

  it('are a pair both ways', () => {
    const finding = one(({ from, to }) => [n(5), n(3)].includes(from) && [n(5), n(3)].includes(to));
    expect(finding).toMatchObject({ pair: [n(3), n(5)], direction: 'both' });
    expect(finding?.text).toMatchInlineSnapshot(
      `"packets above 1,410 bytes between c/n3 (10.0.0.3) and c/n5 (10.0.0.5) vanish, and no router says so; small ones pass. The interfaces say 1,500"`,
    );
  });

  it.each([
    ['inbound', ({ to }: LargePath) => to === n(4), 'to c/n4 (10.0.0.4) vanish'],
    ['outbound', ({ from }: LargePath) => from === n(4), 'from c/n4 (10.0.0.4) vanish'],
    [
      'both',
      ({ from, to }: LargePath) => from === n(4) || to === n(4),
      'to and from c/n4 (10.0.0.4) vanish',
    ],
  ])('are a node, %s', (direction, isLost, words) => {
    const finding = one(isLost);
    expect(finding).toMatchObject({ id: 'mtu:c/n4', node: n(4), direction, size: 1410 });
    expect(finding?.text).toContain(`packets above 1,410 bytes ${words}`);
  });

  it('are two zones, one way', () => {
    const finding = one(({ from, to }) => zoneOf(from) === 'a' && zoneOf(to) === 'b');
    expect(finding).toMatchObject({ id: 'mtu:a,b', zones: ['a', 'b'], direction: 'outbound' });
    expect(finding?.text).toMatchInlineSnapshot(
      `"packets above 1,410 bytes from zone a to zone b vanish, and no router says so, as 6 of 6 nodes that tested see it; small ones pass. The interfaces say 1,500"`,
    );
  });

  it('are two zones, both ways', () => {
    const finding = one(
      ({ from, to }) => zoneOf(from) !== zoneOf(to) && zoneOf(from) !== 'c' && zoneOf(to) !== 'c',
    );
    expect(finding).toMatchObject({ zones: ['a', 'b'], direction: 'both' });
    expect(finding?.text).toMatchInlineSnapshot(
      `"packets above 1,410 bytes between zone a and zone b vanish, and no router says so, as 6 of 6 nodes that tested see it; small ones pass. The interfaces say 1,500"`,
    );
  });

  it('are a zone and all others', () => {
    const finding = one(({ from, to }) => (zoneOf(from) === 'b') !== (zoneOf(to) === 'b'));
    expect(finding).toMatchObject({ zones: ['b'], direction: 'both' });
    expect(finding?.text).toMatchInlineSnapshot(
      `"packets above 1,410 bytes between the other zones and zone b vanish, and no router says so, as 9 of 9 nodes that tested see it; small ones pass. The interfaces say 1,500"`,
    );
  });

  it('are the pod network of the cluster', () => {
    const finding = one(({ plane }) => plane === 'endpoint');
    expect(finding).toMatchObject({ id: 'mtu:endpoint', plane: 'endpoint' });
    expect(finding?.next[0]).toBe('meshprobe mtu c/n2 --endpoint');
    expect(finding?.text).toMatchInlineSnapshot(
      `"packets above 1,410 bytes on most paths of the cluster at endpoints vanish, and no router says so, as 9 of 9 nodes that tested see it; small ones pass. The interfaces say 1,500"`,
    );
  });

  it('are the pod network of one node', () => {
    const isLost = ({ from, plane }: LargePath) => plane === 'endpoint' && from === n(4);
    const finding = one(isLost);
    expect(finding).toMatchObject({ node: n(4), plane: 'endpoint', direction: 'outbound' });
    expect(finding?.text).toMatchInlineSnapshot(
      `"packets above 1,410 bytes from c/n4 (10.0.0.4) at endpoints vanish, and no router says so, as 8 of 8 nodes that tested see it; small ones pass. The interfaces say 1,500"`,
    );
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
    const { findings } = found(9, {
      zones,
      large: ({ from, to }) =>
        zoneOf(from) !== 'a' || zoneOf(to) !== 'b' || from === n(3) ? 'passed' : { limit },
      rows: {
        [n(3)]: {
          row: {
            large: {
              lost: [],
              passed: [4, 5, 6].map((at) => ({ node: n(at), plane: 'host', ageSeconds: 500 })),
            },
          },
        },
      },
    });
    expect(findings).toMatchObject([{ kind: 'mtu', zones: ['a', 'b'] }]);
  });

  it('are nothing where none are lost', () => {
    expect(found(9, { large: () => 'passed' })).toMatchObject({ findings: [], doubted: [] });
  });
});

describe('the size that is told', () => {
  const isLost = ({ from, to }: LargePath) => zoneOf(from) === 'a' && zoneOf(to) === 'b';
  const textOf = (sayings: (from: string) => Exclude<LargeSaying, string>) => {
    const { findings } = found(9, {
      zones,
      large: sayingOf(isLost, ({ from }) => sayings(from)),
    });
    expect(findings).toHaveLength(1);
    return { text: findings[0]?.text, size: findings[0]?.size };
  };

  it('is a range where the witnesses differ', () => {
    expect(
      textOf((from) => ({
        limit: {
          bytes: [n(1), n(4)].includes(from) ? 1380 : 1410,
          interfaceBytes: [n(2), n(5)].includes(from) ? 9000 : 1500,
        },
      })),
    ).toMatchInlineSnapshot(`
      {
        "size": undefined,
        "text": "packets above 1,380 to 1,410 bytes from zone a to zone b vanish, and no router says so, as 6 of 6 nodes that tested see it; small ones pass",
      }
    `);
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
    expect(textOf(() => ({}))).toMatchInlineSnapshot(`
      {
        "size": undefined,
        "text": "large packets from zone a to zone b are lost, as 6 of 6 nodes that tested see it; small ones pass",
      }
    `);
  });

  it('comes with the router that names it', () => {
    expect(
      textOf((from) => ({ limit: { ...limit, saidBy: from === n(1) ? '10.3.2.1' : '10.3.3.1' } })),
    ).toMatchInlineSnapshot(`
      {
        "size": 1410,
        "text": "packets above 1,410 bytes from zone a to zone b are lost, though 2 routers name that limit, such as 10.3.2.1, as 6 of 6 nodes that tested see it; small ones pass. The interfaces say 1,500",
      }
    `);
  });

  it.each([68, 575])('is not %d, which small packets would not pass', (bytes) => {
    expect(
      textOf((from) => ({ limit: from === n(1) ? { ...limit, bytes } : limit })),
    ).toMatchObject({ size: 1410 });
  });

  it('is that of nearly all: one who lies changes nothing', () => {
    const lies = Array.from({ length: 9 }, (_, at) => at)
      .slice(3)
      .map((at) => ({ node: n(at + 1), plane: 'host' as const, ageSeconds: 60 }))
      .map((loss) => ({ ...loss, limit: { bytes: 600, interfaceBytes: 65_535 } }));
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
    const { doubted } = found(9, {
      large: ({ from, to }) =>
        to === n(4) && (from === n(2) || from === n(3))
          ? { ageSeconds: from === n(2) ? 10 : 90 }
          : 'untested',
    });
    const agoS = new Map(doubted.map(({ node, lostMs }) => [node, (start - lostMs) / 1000]));
    // A row is two seconds old.
    expect(agoS).toEqual(
      new Map([
        [n(2), 12],
        [n(3), 92],
        [n(4), 12],
      ]),
    );
  });

  it('are not those that are not listed, and not too many', () => {
    const strange = { node: 'c/stranger', plane: 'host', ageSeconds: 5 } as const;
    const rows = { [n(2)]: { row: { large: { lost: [strange], passed: [] } } } };
    expect(found(9, { rows }).doubted).toEqual([]);
    expect(found(100, { large: () => ({}) }).doubted).toHaveLength(64);
  });
});

describe('large packets beside other trouble', () => {
  it('are not told of where the same paths fail', () => {
    const { findings } = found(9, {
      zones,
      says: ({ to }) => (to === n(4) ? 'unreachable' : undefined),
      large: ({ to }) => (to === n(4) ? { limit } : 'passed'),
    });
    expect(findings.map(({ kind }) => kind)).toEqual(['node-isolated']);
  });

  it('are told of where only ping fails', () => {
    const { findings } = found(9, {
      zones,
      says: ({ from, to, protocol }) =>
        protocol === 'icmp' && (from === n(4) || to === n(4)) ? 'unreachable' : undefined,
      large: ({ to }) => (to === n(4) ? {} : 'passed'),
    });
    expect(findings.map(({ kind }) => kind)).toEqual(['icmp-filtered', 'mtu']);
  });
});

describe('a finding about large packets', () => {
  it('opens when the others have looked, and closes when the paths are mended', () => {
    const isLost = ({ from, to }: LargePath) => zoneOf(from) === 'a' && zoneOf(to) === 'b';
    let previous: ReturnType<typeof diagnose> | undefined;
    const openAt: number[] = [];
    for (let second = 0; second <= 90; second++) {
      const large = (path: LargePath): LargeSaying =>
        isLost(path) && second < 60 ? { limit, ageSeconds: second } : 'passed';
      const input = { now: start + second * 1000, ...(previous && { previous }) };
      previous = diagnose(clusterOf(9, { zones, large, input }));
      if (previous.findings.length > 0) openAt.push(second);
      expect(previous.findings.every(({ id }) => id === 'mtu:a,b')).toBe(true);
    }
    expect([openAt[0], openAt.at(-1)]).toEqual([expect.any(Number), 59]);
    expect(openAt[0]).toBeGreaterThan(15);
    expect(openAt[0]).toBeLessThan(25);
  });
});
