import { describe, expect, it } from 'vitest';
import type { FailureKind } from '../../../../agent/model/failure.js';
import { found, n, type PathOf, type Saying } from './cluster.js';

type Fails = (path: PathOf) => boolean;

const failing =
  (fails: Fails) =>
  (path: PathOf): Saying =>
    fails(path) ? 'unreachable' : undefined;

const at =
  (node: string) =>
  ({ from, to }: PathOf) =>
    from === node || to === node;

describe('what is found in a cluster of 8 nodes', () => {
  const one = (fails: Fails, more: Parameters<typeof found>[1] = {}) => {
    const { findings, unexplained } = found(8, { says: failing(fails), ...more });
    expect(findings).toHaveLength(1);
    expect(unexplained).toBe(0);
    return findings[0];
  };

  it('is nothing if all is well', () => {
    expect(found(8)).toMatchObject({ findings: [], unexplained: 0 });
  });

  it('is a dead node if all of its paths fail and it is not heard', () => {
    const finding = one(({ to }) => to === n(7), { without: [n(7)] });
    expect(finding).toMatchObject({
      id: 'node:c/n7',
      kind: 'node-down',
      severity: 'broken',
      node: n(7),
      seenBy: { failing: 7, of: 7 },
      explains: 28,
      since: '2026-11-21T11:58:58.000Z',
      next: ['kubectl get node n7 -o wide', 'ping -c 3 10.0.0.7', 'ping -c 3 10.244.0.7'],
    });
    expect(finding?.evidence).toHaveLength(10);
    expect(finding?.text).toMatchInlineSnapshot(
      `"none of 7 nodes can reach c/n7 (10.0.0.7) at all, and nothing has been heard from it since"`,
    );
    expect(finding).not.toHaveProperty('direction');
  });

  it('is an isolated node if it was heard since its paths failed', () => {
    const finding = one(({ to }) => to === n(7), {
      without: [n(7)],
      input: { heardMsAgo: new Map([[n(7), 1000]]) },
      rows: { [n(2)]: { row: { heard: [n(7)] } } },
    });
    expect(finding).toMatchObject({ id: 'node:c/n7', direction: 'inbound' });
    expect(finding?.text).toMatchInlineSnapshot(
      `"none of 7 nodes can reach c/n7 (10.0.0.7) at all, though it reaches them: what is sent to it is lost or refused"`,
    );
  });

  it('is an isolated node, inbound, if its own probes work', () => {
    const finding = one(({ to }) => to === n(7));
    expect(finding).toMatchObject({ kind: 'node-isolated', node: n(7), direction: 'inbound' });
    expect(finding?.text).toMatchInlineSnapshot(
      `"none of 7 nodes can reach c/n7 (10.0.0.7) at all, though it reaches them: what is sent to it is lost or refused"`,
    );
  });

  it('is an isolated node, outbound, if only its own probes fail', () => {
    const finding = one(({ from }) => from === n(7));
    expect(finding).toMatchObject({ kind: 'node-isolated', node: n(7), direction: 'outbound' });
    expect(finding?.text).toMatchInlineSnapshot(
      `"c/n7 (10.0.0.7) cannot reach any of 7 nodes; they reach it"`,
    );
  });

  it('is the own node if the agent sees all others fail and has no row of them', () => {
    const others = Array.from({ length: 7 }, (_, number) => n(number + 2));
    const finding = one(({ from }) => from === n(1), { without: others });
    expect(finding).toMatchObject({ kind: 'node-isolated', node: n(1), local: true });
    expect(finding?.text).toMatchInlineSnapshot(`"c/n1 cannot reach any of 7 nodes"`);
  });

  it('is an agent that is down if HTTP fails at its node IP', () => {
    const finding = one(
      ({ to, plane, protocol }) => to === n(7) && plane === 'host' && protocol === 'http',
      { without: [n(7)] },
    );
    expect(finding).toMatchObject({ kind: 'agent-down', node: n(7), plane: 'host' });
    expect(finding?.next).toEqual([
      'kubectl -n meshprobe get pods -o wide --field-selector spec.nodeName=n7',
      'curl -m 2 http://10.0.0.7:4240/hello',
      'ssh 10.0.0.7 sudo ss -ltnp sport = :4240',
    ]);
    expect(finding?.text).toMatchInlineSnapshot(
      `"none of 7 nodes can reach the agent of c/n7 (10.0.0.7:4240); the host itself answers ping"`,
    );
  });

  it('leaves nothing unexplained if a node does not reach its own endpoint either', () => {
    const well = { reachable: 7, unreachable: 0, unknown: 0, degraded: 0 };
    const host = { icmp: well, http: well };
    const itself = { plane: 'endpoint', protocol: 'http', state: 'unreachable' } as const;
    const { findings, unexplained } = found(8, {
      says: ({ to, plane, protocol }) =>
        to === n(7) && plane === itself.plane && protocol === itself.protocol
          ? 'unreachable'
          : undefined,
      rows: {
        [n(7)]: {
          row: {
            counts: { host, endpoint: { icmp: well, http: { ...well, unreachable: 1 } } },
            paths: [{ ...itself, node: n(7), ageSeconds: 60, failure: 'timeout' }],
          },
        },
      },
    });
    expect(findings).toMatchObject([{ id: 'endpoint:c/n7' }]);
    expect(unexplained).toBe(0);
  });

  it('is an endpoint that is down if HTTP fails at it', () => {
    const finding = one(
      ({ to, plane, protocol }) => to === n(7) && plane === 'endpoint' && protocol === 'http',
    );
    expect(finding).toMatchObject({ kind: 'endpoint-down', node: n(7), direction: 'inbound' });
    expect(finding?.text).toMatchInlineSnapshot(
      `"none of 7 nodes can reach the server at the endpoint of c/n7 (10.244.0.7:4240); it still answers ping"`,
    );
  });

  it('is the host plane of a node if its node IP fails by both protocols', () => {
    const finding = one(({ to, plane }) => to === n(7) && plane === 'host', { without: [n(7)] });
    expect(finding).toMatchObject({ kind: 'host-plane', node: n(7), protocols: ['icmp', 'http'] });
    expect(finding?.text).toMatchInlineSnapshot(
      `"none of 7 nodes can reach the node IP of c/n7 (10.0.0.7); its endpoint answers"`,
    );
  });

  it('is the endpoint plane of a node if its endpoint fails in both directions', () => {
    const finding = one((path) => at(n(7))(path) && path.plane === 'endpoint');
    expect(finding).toMatchObject({ kind: 'endpoint-plane', node: n(7), direction: 'both' });
    expect(finding?.text).toMatchInlineSnapshot(
      `"none of 7 nodes can reach the endpoint of c/n7 (10.244.0.7), nor does it reach them; its node IP answers"`,
    );
  });

  it('is a filter of ICMP if echoes of a node fail on both planes', () => {
    const finding = one((path) => at(n(7))(path) && path.protocol === 'icmp');
    expect(finding).toMatchObject({ kind: 'icmp-filtered', node: n(7), protocols: ['icmp'] });
    expect(finding?.text).toMatchInlineSnapshot(
      `"none of 7 nodes can ping c/n7 (10.0.0.7), nor does it reach them; HTTP works"`,
    );
  });

  it('says where HTTP works of a node that answers no ping, if no endpoint answers by HTTP', () => {
    const { findings } = found(8, {
      says: failing(
        (path) =>
          (at(n(7))(path) && path.protocol === 'icmp') ||
          (path.plane === 'endpoint' && path.protocol === 'http'),
      ),
    });
    expect(findings.find(({ kind }) => kind === 'icmp-filtered')?.text).toMatchInlineSnapshot(
      `"none of 7 nodes can ping c/n7 (10.0.0.7), nor does it reach them; HTTP works at its node IP"`,
    );
  });

  it('says of an agent that is gone that its endpoint answers, where echoes fail everywhere', () => {
    const { findings } = found(8, {
      says: ({ to, plane, protocol }) =>
        protocol === 'icmp'
          ? 'unreachable'
          : to === n(7) && plane === 'host'
            ? { state: 'unreachable', failure: 'refused', ageSeconds: 60 }
            : undefined,
      without: [n(7)],
    });
    expect(findings.find(({ kind }) => kind !== 'icmp-filtered')?.text).toMatchInlineSnapshot(
      `"none of 7 nodes can reach the agent of c/n7 (10.0.0.7:4240, connection refused), and nothing has been heard from it since; its endpoint answers"`,
    );
  });

  it('is a filter of HTTP if the probe port of a node fails on both planes', () => {
    const finding = one(({ to, protocol }) => to === n(7) && protocol === 'http');
    expect(finding).toMatchObject({ kind: 'http-filtered', node: n(7), direction: 'inbound' });
    expect(finding?.text).toMatchInlineSnapshot(
      `"none of 7 nodes can reach port 4240 of c/n7 (10.0.0.7), though it reaches them; ping works"`,
    );
  });

  it('is the node that all failing paths share, even if most rows are older than the fault', () => {
    const { findings } = found(6, {
      says: ({ from, to, plane }) =>
        (from === n(1) || to === n(1)) && plane === 'endpoint'
          ? { state: 'unreachable', ageSeconds: 6 }
          : undefined,
      rows: Object.fromEntries([2, 3, 4, 5, 6].map((i) => [n(i), { ageMs: 4500 }])),
    });
    expect(findings).toMatchObject([{ id: 'endpoint-plane:c/n1' }]);
  });

  it('is a filter of ICMP in the whole cluster if all echoes fail', () => {
    const finding = one(({ protocol }) => protocol === 'icmp');
    expect(finding).toMatchObject({ id: 'icmp-filtered:all', kind: 'icmp-filtered' });
    expect(finding).not.toHaveProperty('node');
    expect(finding?.text).toMatchInlineSnapshot(
      `"most paths of the cluster fail by ICMP: 8 of 8 nodes see it, and it is so with 8 nodes"`,
    );
  });

  it('is a pair if two nodes do not reach each other', () => {
    const finding = one((path) => at(n(3))(path) && at(n(5))(path));
    expect(finding).toMatchObject({ id: 'pair:c/n3,c/n5', pair: [n(3), n(5)], direction: 'both' });
    expect(finding?.next).toContain('ssh 10.0.0.3 ping -c 3 10.0.0.5');
    expect(finding?.text).toMatchInlineSnapshot(
      `"c/n3 (10.0.0.3) and c/n5 (10.0.0.5) cannot reach each other"`,
    );
  });

  it('is a pair, outbound, if one node does not reach another', () => {
    const finding = one(({ from, to }) => from === n(5) && to === n(3));
    expect(finding).toMatchObject({
      id: 'pair:c/n3,c/n5',
      pair: [n(5), n(3)],
      direction: 'outbound',
    });
    expect(finding?.text).toMatchInlineSnapshot(
      `"c/n5 (10.0.0.5) cannot reach c/n3 (10.0.0.3); the reverse works"`,
    );
  });

  it('is a lossy node if only its paths lose probes', () => {
    const { findings } = found(8, {
      says: (path) => (at(n(7))(path) && path.protocol === 'icmp' ? 'lossy' : undefined),
    });
    expect(findings).toMatchObject([
      { id: 'lossy:c/n7', severity: 'degraded', protocols: ['icmp'] },
    ]);
    expect(findings[0]?.text).toMatchInlineSnapshot(
      `"the paths to and from c/n7 (10.0.0.7) lose probes by ICMP, as 7 of 7 nodes see it"`,
    );
  });

  it('is a slow node if only its paths became slow', () => {
    const { findings } = found(8, { says: (path) => (at(n(7))(path) ? 'slow' : undefined) });
    expect(findings).toMatchObject([{ id: 'slow:c/n7', severity: 'degraded' }]);
    expect(findings[0]?.text).toMatchInlineSnapshot(
      `"the paths to and from c/n7 (10.0.0.7) have become slow, as 7 of 7 nodes see it"`,
    );
  });

  it('is the cluster where all paths have become slow or lose probes alike', () => {
    const { findings } = found(8, { says: () => 'slow' });
    expect(findings).toMatchObject([{ id: 'slow:all', kind: 'slow', severity: 'degraded' }]);
    expect(findings[0]).not.toHaveProperty('node');
    expect(findings[0]?.text).toMatchInlineSnapshot(
      `"most paths of the cluster have become slow: 8 of 8 nodes see it, and it is so with 8 nodes"`,
    );
    expect(found(2, { says: () => 'lossy' }).findings).toMatchObject([{ id: 'lossy:all' }]);
  });

  it('is the endpoint plane of the cluster where its paths lose probes alike', () => {
    const { findings } = found(8, {
      says: ({ plane }) => (plane === 'endpoint' ? 'lossy' : undefined),
    });
    expect(findings).toMatchObject([{ id: 'lossy:endpoint', kind: 'lossy', plane: 'endpoint' }]);
  });

  it('is not an isolated node where one of many observers still hears it', () => {
    const finding = one(({ to }) => to === n(7), {
      without: [n(7)],
      rows: { [n(2)]: { row: { heard: [n(7)] } } },
    });
    expect(finding).toMatchObject({ kind: 'node-down' });
  });

  it('is a filter of the probe port where the own GETs of its agent arrive', () => {
    const finding = one(
      ({ to, plane, protocol }) => to === n(7) && plane === 'host' && protocol === 'http',
    );
    expect(finding).toMatchObject({ kind: 'http-filtered', node: n(7), direction: 'inbound' });
    expect(finding?.text).toMatchInlineSnapshot(
      `"none of 7 nodes can reach port 4240 of c/n7 (10.0.0.7) at its node IP, though it reaches them; ping works"`,
    );
  });

  it('is two findings, worst first, where two things are broken', () => {
    const { findings } = found(8, {
      says: failing(
        ({ to, plane, protocol }) =>
          (to === n(3) && plane === 'endpoint') ||
          (to === n(5) && plane === 'host' && protocol === 'http'),
      ),
    });
    expect(findings.map(({ id }) => id)).toEqual(['endpoint-plane:c/n3', 'agent:c/n5']);
  });
});

describe('what is found in a cluster of three zones', () => {
  const zones = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c'];
  const zoneOf = (node: string) => zones[Number(node.slice(3)) - 1];

  it('is a pair of zones where nothing gets from one to the other', () => {
    const cut = ['a', 'b'];
    const { findings } = found(9, {
      zones,
      says: failing(({ from, to }) => {
        const ends = [zoneOf(from), zoneOf(to)];
        return cut.every((zone) => ends.includes(zone));
      }),
    });
    expect(findings).toMatchObject([
      { id: 'zones:a,b', kind: 'zones', zones: ['a', 'b'], direction: 'both', explains: 72 },
    ]);
    expect(findings[0]?.text).toMatchInlineSnapshot(
      `"zones a and b cannot reach each other, as 6 of 6 nodes see it"`,
    );
  });

  it('is one zone where it is cut off from all others', () => {
    const { findings } = found(9, {
      zones,
      says: failing(({ from, to }) => (zoneOf(from) === 'b') !== (zoneOf(to) === 'b')),
      without: [n(4), n(5), n(6)],
    });
    expect(findings).toMatchObject([{ id: 'zones:b', kind: 'zones', zones: ['b'] }]);
    expect(findings[0]?.text).toMatchInlineSnapshot(
      `"the other zones cannot reach zone b, as 6 of 6 nodes see it; of the reverse nothing is known"`,
    );
  });

  it('says nothing of the reverse of a cut where the rows of the other side are from before it', () => {
    const textOf = (ageMs: number) =>
      found(9, {
        zones,
        says: ({ from, to }) =>
          zoneOf(from) === 'a' && zoneOf(to) === 'b'
            ? { state: 'unreachable', ageSeconds: 6 }
            : undefined,
        rows: Object.fromEntries([n(4), n(5), n(6)].map((name) => [name, { ageMs }])),
      }).findings.map(({ text }) => text);
    const text = 'zone a cannot reach zone b, as 3 of 3 nodes see it';
    expect(textOf(9000)).toEqual([`${text}; of the reverse nothing is known`]);
    expect(textOf(0)).toEqual([`${text}; the reverse works`]);
  });

  it('is the dead nodes where others of their zone live', () => {
    const dead = [n(4), n(5)];
    const { findings } = found(9, {
      zones,
      says: failing(({ to }) => dead.includes(to)),
      without: dead,
    });
    expect(findings.map(({ id }) => id)).toEqual(['node:c/n4', 'node:c/n5']);
  });
});

describe('two pairs that are cut between zones of two nodes', () => {
  const zones = ['a', 'a', 'b', 'b'];
  const cut = ['c/n1 c/n3', 'c/n2 c/n4'];
  const at = (ageSeconds: number) =>
    found(4, {
      zones,
      says: ({ from, to }) =>
        cut.includes([from, to].sort().join(' '))
          ? { state: 'unreachable', ageSeconds, failure: 'timeout' }
          : undefined,
      rows: Object.fromEntries([2, 3, 4].map((node) => [n(node), { ageMs: 1000 }])),
    }).findings.map(({ id }) => id);

  it('are not the zones while rows do not tell yet that the others work', () => {
    expect(at(1)).toEqual([]);
    expect(at(8)).toEqual(['pair:c/n1,c/n3', 'pair:c/n2,c/n4']);
  });

  it('are the zones at once where all paths between them fail', () => {
    const { findings } = found(4, {
      zones,
      says: ({ from, to }) =>
        from < n(3) !== to < n(3)
          ? { state: 'unreachable', ageSeconds: 4, failure: 'timeout' }
          : undefined,
      rows: Object.fromEntries([2, 3, 4].map((node) => [n(node), { ageMs: 1000 }])),
    });
    expect(findings.map(({ id }) => id)).toEqual(['zones:a,b']);
  });
});

describe('zones without agents', () => {
  it('are no cut zones where connections are refused: each host answers', () => {
    const zones = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c'];
    const without = [n(4), n(5), n(6), n(7), n(8), n(9)];
    const { findings } = found(9, {
      zones,
      without,
      says: ({ to, plane, protocol }) =>
        without.includes(to) && plane === 'host' && protocol === 'http'
          ? { state: 'unreachable', ageSeconds: 600, failure: 'refused' }
          : undefined,
    });
    expect(findings.map(({ kind, node }) => [kind, node])).toEqual(
      without.map((node) => ['agent-down', node]),
    );
  });
});

describe('where GETs alone are sent, as without the right to send ICMP', () => {
  type Probed = Partial<Record<'host' | 'endpoint', 'well' | FailureKind>>;
  const told = (probed: Probed, without: readonly string[] = [n(7)]) =>
    found(8, {
      without,
      says: ({ to, plane, protocol }): Saying => {
        const of7 = probed[plane];
        if (protocol === 'icmp' || of7 === undefined) return 'unknown';
        if (to !== n(7) || of7 === 'well') return undefined;
        return { state: 'unreachable', failure: of7 };
      },
    }).findings;

  it.each([
    [
      { host: 'timeout', endpoint: 'timeout' },
      'the agent of c/n7 (10.0.0.7:4240) or the server at its endpoint, and nothing has been heard from it since; whether the host answers ping is not known',
      'kubectl get node n7 -o wide',
    ],
    [
      { host: 'timeout' },
      'the agent of c/n7 (10.0.0.7:4240), and nothing has been heard from it since; whether the host answers ping is not known',
      'kubectl get node n7 -o wide',
    ],
    [
      { host: 'refused' },
      'the agent of c/n7 (10.0.0.7:4240, connection refused), and nothing has been heard from it since; whether the host answers ping is not known',
      'kubectl -n meshprobe get pods -o wide --field-selector spec.nodeName=n7',
    ],
    [
      { host: 'timeout', endpoint: 'well' },
      'the agent of c/n7 (10.0.0.7:4240), and nothing has been heard from it since; its endpoint answers',
      'kubectl -n meshprobe get pods -o wide --field-selector spec.nodeName=n7',
    ],
  ] as const)('a silent agent is no dead node: %j', (probed, text, first) => {
    const findings = told(probed);
    expect(findings).toMatchObject([{ kind: 'agent-down', node: n(7), protocols: ['http'] }]);
    expect(findings[0]?.text).toBe(`none of 7 nodes can reach ${text}`);
    expect(findings[0]?.next[0]).toBe(first);
  });

  it('an endpoint whose server does not answer is no dead pod network, whether its node tells or not', () => {
    const probed = { host: 'well', endpoint: 'timeout' } as const;
    for (const without of [[n(7)], []]) {
      expect(told(probed, without)).toMatchObject([
        {
          kind: 'endpoint-down',
          text: 'none of 7 nodes can reach the server at the endpoint of c/n7 (10.244.0.7:4240); whether it answers ping is not known',
        },
      ]);
    }
  });

  it('a node whose own GETs arrive is not reached by GETs', () => {
    expect(told({ host: 'timeout', endpoint: 'timeout' }, [])).toMatchObject([
      {
        kind: 'node-isolated',
        text: 'none of 7 nodes can reach c/n7 (10.0.0.7) by HTTP, though it reaches them: GETs to it are lost or refused',
      },
    ]);
  });

  it('echoes of some agents are enough to know that it is the node', () => {
    const { findings } = found(8, {
      without: [n(7)],
      says: ({ from, to, protocol }) =>
        protocol === 'icmp' && ![n(1), n(2)].includes(from)
          ? 'unknown'
          : to === n(7)
            ? 'unreachable'
            : undefined,
    });
    expect(findings).toMatchObject([{ kind: 'node-down', node: n(7) }]);
  });
});
