import { describe, expect, it } from 'vitest';
import { found, makeNodes, n, type Saying } from './cluster.js';

const numberOf = (name: string) => Number(name.slice(3));
const notReady = 'Kubernetes: NotReady since 2026-11-21T11:58:00Z';

/** Nodes, of which those of which `isKnown` is true are NotReady. */
const nodesOf = (count: number, isKnown: (node: number) => boolean) =>
  makeNodes(count).map((node, at) => (isKnown(at + 1) ? { ...node, known: notReady } : node));

describe('many findings of one kind', () => {
  it('tell of nodes that reach nobody, and not that these do not answer', () => {
    const { findings } = found(60, {
      says: ({ from, protocol }): Saying =>
        numberOf(from) > 43 && protocol === 'icmp' ? 'unreachable' : undefined,
    });
    expect(findings).toMatchObject([
      { id: 'icmp-filtered:many:outbound', direction: 'outbound', count: 17 },
    ]);
    expect(findings[0]?.text).toBe(
      '17 of 60 nodes cannot reach the others by ICMP, which reach them (c/n44, c/n45, c/n46, ...)',
    );
  });

  it('tell apart those that are filtered either way', () => {
    const { findings } = found(60, {
      says: ({ from, to, protocol }): Saying =>
        protocol === 'icmp' && (numberOf(from) > 50 || [2, 3, 4, 5, 6, 7, 8].includes(numberOf(to)))
          ? 'unreachable'
          : undefined,
    });
    expect(findings.map(({ id, direction, count }) => [id, direction, count])).toEqual([
      ['icmp-filtered:many:outbound', 'outbound', 10],
      ['icmp-filtered:many', 'inbound', 7],
    ]);
  });

  it('tell apart those that the cluster itself calls NotReady', () => {
    const dead = Array.from({ length: 20 }, (_, at) => n(41 + at));
    const { findings } = found(60, {
      nodes: nodesOf(60, (node) => node > 42),
      says: ({ to }): Saying => (dead.includes(to) ? 'unreachable' : undefined),
      without: dead,
    });
    expect(findings).toMatchObject([
      { id: 'node-down:many:known', count: 18 },
      { id: 'node-down:many', count: 2, examples: [n(41), n(42)] },
    ]);
    expect(findings[1]?.text).toMatch(/ since \(c\/n41, c\/n42\)$/);
  });
});
