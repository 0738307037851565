import { describe, expect, it } from 'vitest';
import type { FailureKind } from '../../../../agent/model/failure.js';
import { makeNode } from '../../../rows/make-input.js';
import {
  found,
  idsOf,
  n,
  namesOf,
  numberOf,
  rowsOf,
  type ClusterOptions,
  type PathOf,
  type Saying,
} from './cluster.js';
import { failing, isAt, isBetween, isFrom, isOn, isTo, type Which } from './paths.js';

describe('what is found in a cluster of 8 nodes', () => {
  const one = (fails: Which, more: ClusterOptions = {}) => {
    const { findings, unexplained } = found(8, { says: failing(fails), ...more });
    expect(findings).toHaveLength(1);
    expect(unexplained).toBe(0);
    return findings[0];
  };
  const without = [n(7)];
  const heardBy2 = { [n(2)]: { row: { heard: [n(7)] } } };

  it('is nothing if all is well', () => {
    expect(found(8)).toMatchObject({ findings: [], unexplained: 0 });
  });

  it('is a dead node if all of its paths fail and it is not heard', () => {
    const finding = one(isTo(n(7)), { without });
    expect(finding).toMatchObject({
      id: 'node:c/n7',
      kind: 'node-down',
      severity: 'broken',
      node: n(7),
      seenBy: { failing: 7, of: 7 },
      explains: 28,
      since: '2026-11-21T11:58:58.000Z',
      next: ['kubectl get node n7 -o wide', 'ping -c 3 10.0.0.7', 'ping -c 3 10.244.0.7'],
      text: 'none of 7 nodes can reach c/n7 (10.0.0.7) at all, and nothing has been heard from it since',
    });
    expect(finding?.evidence).toHaveLength(10);
    expect(finding).not.toHaveProperty('direction');
  });

  it.each([
    ['host', { without }, 'the agent of c/n7 ([fd00::7]:4240)'],
    ['endpoint', {}, 'the server at the endpoint of c/n7 ([fd01::7]:4240)'],
  ] as const)('puts an IPv6 address before a port in brackets: %s', (plane, more, text) => {
    const nodes = namesOf(8).map((name, at) =>
      makeNode(name, at, { host: [`fd00::${at + 1}`], endpoint: [`fd01::${at + 1}`] }),
    );
    expect(one(isTo(n(7), plane, 'http'), { nodes, ...more })?.text).toContain(text);
  });

  it.each<[string, Which, object, string, ClusterOptions?]>([
    [
      'is an isolated node if it was heard since its paths failed',
      isTo(n(7)),
      { id: 'node:c/n7', direction: 'inbound' },
      'none of 7 nodes can reach c/n7 (10.0.0.7) at all, though it reaches them: what is sent to it is lost or refused',
      { without, rows: heardBy2, input: { heardMsAgo: new Map([[n(7), 1000]]) } },
    ],
    [
      'is an isolated node, inbound, if its own probes work',
      isTo(n(7)),
      { kind: 'node-isolated', node: n(7), direction: 'inbound' },
      'none of 7 nodes can reach c/n7 (10.0.0.7) at all, though it reaches them: what is sent to it is lost or refused',
    ],
    [
      'is an isolated node, outbound, if only its own probes fail',
      isFrom(n(7)),
      { kind: 'node-isolated', node: n(7), direction: 'outbound' },
      'c/n7 (10.0.0.7) cannot reach any of 7 nodes; they reach it',
    ],
    [
      'is the own node if the agent sees all others fail and has no row of them',
      isFrom(n(1)),
      { kind: 'node-isolated', node: n(1), local: true },
      'c/n1 cannot reach any of 7 nodes',
      { without: namesOf(8).slice(1) },
    ],
    [
      'is the own node that cannot send if it hears those that it does not reach',
      isFrom(n(1)),
      { kind: 'node-isolated', node: n(1), local: true, direction: 'outbound' },
      'c/n1 cannot reach any of 7 nodes; they reach it',
      {
        without: namesOf(8).slice(1),
        rows: { [n(1)]: { row: { heard: namesOf(8).slice(1) } } },
      },
    ],
    [
      'is the own node, and nothing of the reverse, if only those tell that it reaches',
      (path) => isFrom(n(1))(path) && numberOf(path.to) > 4,
      { kind: 'node-isolated', node: n(1), local: true },
      'c/n1 cannot reach 4 of 7 nodes',
      { without: namesOf(8).slice(4) },
    ],
    [
      'is an agent that is down if HTTP fails at its node IP',
      isTo(n(7), 'host', 'http'),
      {
        kind: 'agent-down',
        node: n(7),
        plane: 'host',
        next: [
          'kubectl -n meshprobe get pods -o wide --field-selector spec.nodeName=n7',
          'curl -m 2 http://10.0.0.7:4240/hello',
          'ssh 10.0.0.7 sudo ss -ltnp sport = :4240',
        ],
      },
      'none of 7 nodes can reach the agent of c/n7 (10.0.0.7:4240); the host itself answers ping',
      { without },
    ],
    [
      'is an agent that is down if HTTP fails on both planes and nothing is heard from it',
      isTo(n(7), 'http'),
      { id: 'http-filtered:c/n7', kind: 'agent-down', node: n(7) },
      'none of 7 nodes can reach the agent of c/n7 (10.0.0.7:4240) or the server at its endpoint; the host itself answers ping',
      { without },
    ],
    [
      'is an endpoint that is down if HTTP fails at it',
      isTo(n(7), 'endpoint', 'http'),
      { kind: 'endpoint-down', node: n(7), direction: 'inbound' },
      'none of 7 nodes can reach the server at the endpoint of c/n7 (10.244.0.7:4240); it still answers ping',
    ],
    [
      'is the host plane of a node if its node IP fails by both protocols',
      isTo(n(7), 'host'),
      { kind: 'host-plane', node: n(7), protocols: ['icmp', 'http'] },
      'none of 7 nodes can reach the node IP of c/n7 (10.0.0.7); its endpoint answers',
      { without },
    ],
    [
      'is the endpoint plane of a node if its endpoint fails in both directions',
      isAt(n(7), 'endpoint'),
      { kind: 'endpoint-plane', node: n(7), direction: 'both' },
      'none of 7 nodes can reach the endpoint of c/n7 (10.244.0.7), nor does it reach them; its node IP answers',
    ],
    [
      'is a filter of ICMP if echoes of a node fail on both planes',
      isAt(n(7), 'icmp'),
      { kind: 'icmp-filtered', node: n(7), protocols: ['icmp'] },
      'none of 7 nodes can ping c/n7 (10.0.0.7), nor does it reach them; HTTP works',
    ],
    [
      'is a filter of HTTP if the probe port of a node fails on both planes',
      isTo(n(7), 'http'),
      { kind: 'http-filtered', node: n(7), direction: 'inbound' },
      'none of 7 nodes can reach port 4240 of c/n7 (10.0.0.7), though it reaches them; ping works',
    ],
    [
      'is a filter of the probe port where the own GETs of its agent arrive',
      isTo(n(7), 'host', 'http'),
      { kind: 'http-filtered', node: n(7), direction: 'inbound' },
      'none of 7 nodes can reach port 4240 of c/n7 (10.0.0.7) at its node IP, though it reaches them; ping works',
    ],
    [
      'is a pair if two nodes do not reach each other',
      isBetween(n(3), n(5)),
      {
        id: 'pair:c/n3,c/n5',
        pair: [n(3), n(5)],
        direction: 'both',
        next: expect.arrayContaining(['ssh 10.0.0.3 ping -c 3 10.0.0.5']) as string[],
      },
      'c/n3 (10.0.0.3) and c/n5 (10.0.0.5) cannot reach each other',
    ],
    [
      'is a pair, outbound, if one node does not reach another',
      ({ from, to }) => from === n(5) && to === n(3),
      { id: 'pair:c/n3,c/n5', pair: [n(5), n(3)], direction: 'outbound' },
      'c/n5 (10.0.0.5) cannot reach c/n3 (10.0.0.3); the reverse works',
    ],
    [
      'is not an isolated node where one of many observers still hears it',
      isTo(n(7)),
      { kind: 'node-down' },
      'none of 7 nodes can reach c/n7 (10.0.0.7) at all, and nothing has been heard from it since',
      { without, rows: heardBy2 },
    ],
  ])('%s', (_, fails, finding, text, more) => {
    expect(one(fails, more)).toMatchObject({ ...finding, text });
  });

  it('is a filter of ICMP in the whole cluster if all echoes fail', () => {
    const finding = one(isOn('icmp'));
    expect(finding).toMatchObject({
      id: 'icmp-filtered:all',
      kind: 'icmp-filtered',
      text: 'most paths of the cluster fail by ICMP: 8 of 8 nodes see it, and it is so with 8 nodes',
    });
    expect(finding).not.toHaveProperty('node');
  });

  it('leaves nothing unexplained if a node does not reach its own endpoint either', () => {
    const well = { reachable: 7, unreachable: 0, unknown: 0, degraded: 0 };
    const host = { icmp: well, http: well };
    const itself = { plane: 'endpoint', protocol: 'http', state: 'unreachable' } as const;
    const row = {
      counts: { host, endpoint: { icmp: well, http: { ...well, unreachable: 1 } } },
      paths: [{ ...itself, node: n(7), ageSeconds: 60, failure: 'timeout' }],
    } as const;
    const says = failing(isTo(n(7), 'endpoint', 'http'));
    const { findings, unexplained } = found(8, { says, rows: { [n(7)]: { row } } });
    expect(findings).toMatchObject([{ id: 'endpoint:c/n7' }]);
    expect(unexplained).toBe(0);
  });

  it('says where HTTP works of a node that answers no ping, if no endpoint answers by HTTP', () => {
    const fails: Which = (path) => isAt(n(7), 'icmp')(path) || isOn('endpoint', 'http')(path);
    const { findings } = found(8, { says: failing(fails) });
    expect(findings.find(({ kind }) => kind === 'icmp-filtered')?.text).toBe(
      'none of 7 nodes can ping c/n7 (10.0.0.7), nor does it reach them; HTTP works at its node IP',
    );
  });

  it('says of an agent that is gone that its endpoint answers, where echoes fail everywhere', () => {
    const refused = failing(isTo(n(7), 'host', 'http'), { failure: 'refused' });
    const says = (path: PathOf) => refused(path) ?? failing(isOn('icmp'))(path);
    const { findings } = found(8, { says, without });
    expect(findings.find(({ kind }) => kind !== 'icmp-filtered')?.text).toBe(
      'none of 7 nodes can reach the agent of c/n7 (10.0.0.7:4240, connection refused), and nothing has been heard from it since; its endpoint answers',
    );
  });

  it('is the node that all failing paths share, even if most rows are older than the fault', () => {
    const { findings } = found(6, {
      says: failing(isAt(n(1), 'endpoint'), { ageSeconds: 6 }),
      rows: rowsOf(namesOf(6).slice(1), { ageMs: 4500 }),
    });
    expect(findings).toMatchObject([{ id: 'endpoint-plane:c/n1' }]);
  });

  it.each<[string, (path: PathOf) => Saying, object, string]>([
    [
      'is a lossy node if only its paths lose probes',
      (path) => (isAt(n(7), 'icmp')(path) ? 'lossy' : undefined),
      { id: 'lossy:c/n7', severity: 'degraded', protocols: ['icmp'] },
      'the paths to and from c/n7 (10.0.0.7) lose probes by ICMP, as 7 of 7 nodes see it',
    ],
    [
      'is a slow node if only its paths became slow',
      (path) => (isAt(n(7))(path) ? 'slow' : undefined),
      { id: 'slow:c/n7', severity: 'degraded' },
      'the paths to and from c/n7 (10.0.0.7) have become slow, as 7 of 7 nodes see it',
    ],
    [
      'is the endpoint plane of the cluster where its paths lose probes alike',
      ({ plane }) => (plane === 'endpoint' ? 'lossy' : undefined),
      { id: 'lossy:endpoint', kind: 'lossy', plane: 'endpoint' },
      'most paths of the cluster lose probes at endpoints: 8 of 8 nodes see it, and it is so with 8 nodes',
    ],
  ])('%s', (_, says, finding, text) => {
    expect(found(8, { says }).findings).toMatchObject([{ ...finding, text }]);
  });

  it('is the cluster where all paths have become slow or lose probes alike', () => {
    const { findings } = found(8, { says: () => 'slow' });
    const text =
      'most paths of the cluster have become slow: 8 of 8 nodes see it, and it is so with 8 nodes';
    expect(findings).toMatchObject([{ id: 'slow:all', kind: 'slow', severity: 'degraded', text }]);
    expect(findings[0]).not.toHaveProperty('node');
    expect(found(2, { says: () => 'lossy' }).findings).toMatchObject([{ id: 'lossy:all' }]);
  });

  it('is two findings, worst first, where two things are broken', () => {
    const fails: Which = (path) => isTo(n(3), 'endpoint')(path) || isTo(n(5), 'host', 'http')(path);
    expect(idsOf(found(8, { says: failing(fails) }))).toEqual([
      'endpoint-plane:c/n3',
      'agent:c/n5',
    ]);
  });
});

describe('what is found in a cluster of three zones', () => {
  const zones = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c'];
  const zoneOf = (node: string) => zones[Number(node.slice(3)) - 1];

  it('is a pair of zones where nothing gets from one to the other', () => {
    const fails: Which = ({ from, to }) => [zoneOf(from), zoneOf(to)].sort().join('') === 'ab';
    expect(found(9, { zones, says: failing(fails) }).findings).toMatchObject([
      {
        id: 'zones:a,b',
        kind: 'zones',
        zones: ['a', 'b'],
        direction: 'both',
        explains: 72,
        text: 'zones a and b cannot reach each other, as 6 of 6 nodes see it',
      },
    ]);
  });

  it('is one zone where it is cut off from all others', () => {
    const fails: Which = ({ from, to }) => (zoneOf(from) === 'b') !== (zoneOf(to) === 'b');
    const without = [n(4), n(5), n(6)];
    expect(found(9, { zones, says: failing(fails), without }).findings).toMatchObject([
      {
        id: 'zones:b',
        kind: 'zones',
        zones: ['b'],
        text: 'the other zones cannot reach zone b, as 6 of 6 nodes see it; of the reverse nothing is known',
      },
    ]);
  });

  it('says nothing of the reverse of a cut where the rows of the other side are from before it', () => {
    const fails: Which = ({ from, to }) => zoneOf(from) === 'a' && zoneOf(to) === 'b';
    const says = failing(fails, { ageSeconds: 6 });
    const textOf = (ageMs: number) =>
      found(9, { zones, says, rows: rowsOf([n(4), n(5), n(6)], { ageMs }) }).findings.map(
        ({ text }) => text,
      );
    const text = 'zone a cannot reach zone b, as 3 of 3 nodes see it';
    expect(textOf(9000)).toEqual([`${text}; of the reverse nothing is known`]);
    expect(textOf(0)).toEqual([`${text}; the reverse works`]);
  });

  /**
   * Nobody reaches a zone of ten any more. Its rows, of a second before, tell that agents of another zone refuse connections: these were
   * restarted, and answer again.
   */
  function toldBesideRestarts(restarted: readonly string[], refusedS: number) {
    const names = namesOf(30);
    const zones = names.map((_, at) => 'bac'[Math.floor(at / 10)] ?? '');
    const zoneOf = (name: string) => zones[numberOf(name) - 1];
    const isOff: Which = ({ from, to }) => zoneOf(from) !== 'b' && zoneOf(to) === 'b';
    const isRefused: Which = ({ from, to, ...on }) =>
      zoneOf(from) === 'b' && restarted.includes(to) && isOn('host', 'http')({ from, to, ...on });
    const says = (path: PathOf) =>
      failing(isOff, { ageSeconds: 12 })(path) ??
      failing(isRefused, { ageSeconds: refusedS, failure: 'refused' })(path);
    const rows = rowsOf(names.slice(0, 10), { ageMs: 13_000 });
    const { findings } = found(30, { zones, says, rows, input: { localName: n(11) } });
    return findings.map(({ id, text }) => `${id}: ${text}`);
  }

  it.each([
    { of: 'one agent', restarted: [n(25)], refusedS: 0.5 },
    { of: 'all agents of a zone', restarted: namesOf(30).slice(20), refusedS: 3 },
  ])('says nothing of the reverse by what $of refused before', ({ restarted, refusedS }) => {
    expect(toldBesideRestarts(restarted, refusedS)).toEqual([
      'zones:b: the other zones cannot reach zone b, as 20 of 20 nodes see it; of the reverse nothing is known',
    ]);
  });

  it('is the dead nodes where others of their zone live', () => {
    const without = [n(4), n(5)];
    const says = failing(({ to }) => without.includes(to));
    expect(idsOf(found(9, { zones, says, without }))).toEqual(['node:c/n4', 'node:c/n5']);
  });
});

describe('two pairs that are cut between zones of two nodes', () => {
  const idsWhere = (fails: Which, ageSeconds: number) =>
    idsOf(
      found(4, {
        zones: ['a', 'a', 'b', 'b'],
        says: failing(fails, { ageSeconds }),
        rows: rowsOf([n(2), n(3), n(4)], { ageMs: 1000 }),
      }),
    );

  it('are not the zones while rows do not tell yet that the others work', () => {
    const pairs: Which = (path) => isBetween(n(1), n(3))(path) || isBetween(n(2), n(4))(path);
    expect(idsWhere(pairs, 1)).toEqual([]);
    expect(idsWhere(pairs, 8)).toEqual(['pair:c/n1,c/n3', 'pair:c/n2,c/n4']);
  });

  it('are the zones at once where all paths between them fail', () => {
    const fails: Which = ({ from, to }) => from < n(3) !== to < n(3);
    expect(idsWhere(fails, 4)).toEqual(['zones:a,b']);
  });
});

describe('zones without agents', () => {
  it('are no cut zones where connections are refused: each host answers', () => {
    const zones = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c'];
    const without = namesOf(9).slice(3);
    const fails: Which = (path) => without.includes(path.to) && isOn('host', 'http')(path);
    const says = failing(fails, { ageSeconds: 600, failure: 'refused' });
    expect(
      found(9, { zones, without, says }).findings.map(({ kind, node }) => [kind, node]),
    ).toEqual(without.map((node) => ['agent-down', node]));
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
