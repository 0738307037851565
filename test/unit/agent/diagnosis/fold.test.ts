import { describe, expect, it } from 'vitest';
import {
  found,
  idsOf,
  makeNodes,
  n,
  namesOf,
  numberOf,
  watching,
  type PathOf,
  type Saying,
} from './cluster.js';
import { failing, isOn, isTo } from './paths.js';

const notReady = 'Kubernetes: NotReady since 2026-11-21T11:58:00Z';

/** Nodes, of which those of which `isKnown` is true are NotReady. */
const nodesOf = (count: number, isKnown: (node: number) => boolean) =>
  makeNodes(count).map((node, at) => (isKnown(at + 1) ? { ...node, known: notReady } : node));

describe('many findings of one kind', () => {
  it('tell of nodes that reach nobody, and not that these do not answer', () => {
    const { findings } = found(60, {
      says: failing(({ from, protocol }) => numberOf(from) > 43 && protocol === 'icmp'),
    });
    expect(findings).toMatchObject([
      {
        id: 'icmp-filtered:many:outbound',
        direction: 'outbound',
        count: 17,
        text: '17 of 60 nodes cannot reach the others by ICMP, which reach them (c/n44, c/n45, c/n46, ...)',
      },
    ]);
  });

  it.each<[string, Saying, (path: PathOf) => boolean, string]>([
    [
      'echoes at node IPs',
      'unreachable',
      isOn('host', 'icmp'),
      'do not answer ping at their node IPs',
    ],
    ['echoes on both planes', 'unreachable', isOn('icmp'), 'do not answer ping'],
    [
      'losses of HTTP at endpoints',
      { state: 'lossy', ageSeconds: 600 },
      isOn('endpoint', 'http'),
      'lose probes by HTTP at endpoints',
    ],
  ])('say what fails: %s', (_, state, isBad, words) => {
    const { findings } = found(60, {
      says: (path) => (numberOf(path.to) > 40 && isBad(path) ? state : undefined),
    });
    expect(findings.map(({ text }) => text)).toEqual([
      `20 of 60 nodes ${words} (c/n41, c/n42, c/n43, ...)`,
    ]);
  });

  it('have commands for the first that they name, whichever began first', () => {
    const host = makeNodes(60)[40]?.host[0] ?? '';
    const { findings } = found(60, {
      says: ({ to, protocol }) =>
        numberOf(to) > 40 && protocol === 'icmp'
          ? { state: 'unreachable', ageSeconds: numberOf(to) }
          : undefined,
    });
    expect(findings).toMatchObject([{ examples: expect.arrayContaining([n(41)]) as unknown }]);
    expect(findings[0]?.next[0]).toBe(`ping -c 3 ${host}`);
  });

  it('tell apart those that are filtered either way', () => {
    const { findings } = found(60, {
      says: failing(
        ({ from, to, protocol }) =>
          protocol === 'icmp' && (numberOf(from) > 50 || namesOf(8).slice(1).includes(to)),
      ),
    });
    expect(findings.map(({ id, direction, count }) => [id, direction, count])).toEqual([
      ['icmp-filtered:many:outbound', 'outbound', 10],
      ['icmp-filtered:many', 'inbound', 7],
    ]);
  });

  it('tell apart those that the cluster itself calls NotReady', () => {
    const dead = namesOf(60).slice(40);
    const { findings } = found(60, {
      nodes: nodesOf(60, (node) => node > 42),
      says: failing(({ to }) => dead.includes(to)),
      without: dead,
    });
    expect(findings).toMatchObject([
      { id: 'node-down:many:known', count: 18 },
      { id: 'node-down:many', count: 2, examples: [n(41), n(42)] },
    ]);
    expect(findings[1]?.text).toMatch(/ since \(c\/n41, c\/n42\)$/);
  });
});

/** Looks at sixty nodes of which some are dead, every half second. */
function looker() {
  const look = watching(60);
  let nowS = 0;
  return (seconds: number, isDead: (node: number) => boolean, isKnown = isDead) => {
    const seen = new Set<string>();
    for (const end = nowS + seconds; nowS < end; nowS += 0.5) {
      const dead = namesOf(60).filter((name) => isDead(numberOf(name)));
      const says = failing(({ to }) => dead.includes(to), { ageSeconds: 100 + nowS });
      const nodes = nodesOf(60, isKnown);
      const { findings, unexplained } = look(nowS, { nodes, says, without: dead });
      const named = findings.reduce((sum, { count = 1 }) => sum + count, 0);
      seen.add(`${named} in ${findings.length}, ${unexplained} unexplained`);
    }
    return [...seen];
  };
}

describe('many pairs of nodes', () => {
  const examples = '(c/n1 - c/n31, c/n10 - c/n40, c/n11 - c/n41, ...)';
  const inBoth = '(c/n10 - c/n40, c/n11 - c/n41, c/n12 - c/n42, ...)';
  /** The text about the first twenty nodes, which do not reach the thirtieth after them; of some that fails too. */
  const told = (back: (node: number) => boolean, protocols: readonly string[]) => {
    const fails = (from: number, to: number) => from <= 20 && to === from + 30;
    const says = failing(({ from, to, protocol }) => {
      const [a, b] = [numberOf(from), numberOf(to)];
      return (fails(a, b) || (back(b) && fails(b, a))) && protocols.includes(protocol);
    });
    return found(60, { says }).findings.map(({ id, text }) => [id, text]);
  };
  const all = ['icmp', 'http'];

  it.each([
    [
      'one way',
      () => false,
      all,
      `in 20 pairs of nodes the first cannot reach the second ${examples}`,
    ],
    ['both ways', () => true, all, `20 pairs of nodes cannot reach each other ${inBoth}`],
    [
      'one way or both ways',
      (node: number) => node > 10,
      all,
      `20 pairs of nodes cannot reach each other, or one cannot reach the other ${examples}`,
    ],
    [
      'by HTTP alone',
      () => true,
      ['http'],
      `20 pairs of nodes cannot reach each other by HTTP ${inBoth}`,
    ],
  ])('%s', (_, back, protocols, text) => {
    expect(told(back, protocols)).toEqual([['pair:many', text]]);
  });
});

describe('findings that become one, or are told alone again', () => {
  it('do not go meanwhile', () => {
    const until = looker();
    const never = () => false;
    expect(until(1, (node) => node > 44, never)).toEqual(['16 in 16, 0 unexplained']);
    expect(until(8, (node) => node > 43, never)).toEqual(['17 in 1, 0 unexplained']);
    expect(until(1, (node) => node > 48, never)).toEqual(['12 in 12, 0 unexplained']);
  });

  it('do not go while the cluster learns of them', () => {
    const until = looker();
    const isDead = (node: number) => node > 40;
    expect(until(1, isDead, () => false)).toEqual(['20 in 1, 0 unexplained']);
    expect(until(1, isDead, (node) => node > 50)).toEqual(['20 in 2, 0 unexplained']);
    expect(until(1, isDead)).toEqual(['20 in 1, 0 unexplained']);
  });
});

it('a finding of many does not end one that flaps elsewhere', () => {
  const without = namesOf(60).slice(40);
  const agent = watching(60);
  const look = (atS: number, isFailing: boolean): string[] => {
    const dead = failing(({ to }) => numberOf(to) > 40, { ageSeconds: 100 + atS });
    const flapping = failing((path) => isFailing && isTo(n(7), 'endpoint')(path), {
      ageSeconds: 20,
    });
    return idsOf(agent(atS, { says: (path) => dead(path) ?? flapping(path), without }));
  };
  for (const atS of [0, 60, 120]) {
    look(atS, true);
    expect(look(atS + 5, true)).toEqual(['node-down:many', 'endpoint-plane:c/n7']);
    const last = atS === 120 ? ['endpoint-plane:c/n7'] : [];
    expect(look(atS + 30, false)).toEqual(['node-down:many', ...last]);
  }
});
