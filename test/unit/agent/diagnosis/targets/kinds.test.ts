import { describe, expect, it } from 'vitest';
import type { DiagnosisTarget } from '../../../../../agent/diagnosis/nouns/diagnosis-target.js';
import { rowServersOf, type RowTarget } from '../../../../../agent/model/target.js';
import {
  found,
  idsOf,
  n,
  namesOf,
  start,
  starvedRow,
  type ClusterOptions,
  type LookOf,
  type LookSaying,
} from '../cluster.js';
import { failing as failingPaths, isAt, isOn, isTo, type Which as WhichPath } from '../paths.js';

type Which = (look: LookOf) => boolean;

const targets = ['registry', 'cluster-dns', 'service'];
const zones = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c'];
const zoneB = [n(4), n(5), n(6)];
const dns: DiagnosisTarget = {
  name: 'cluster-dns',
  digest: 1,
  kind: 'dns',
  servers: ['10.96.0.10', '10.96.0.11'],
  query: 'kubernetes.default.svc',
  type: 'A',
};

const of =
  (name: string, which: Which = () => true): Which =>
  (look) =>
    look.target === name && which(look);

/** The findings of eight nodes in three zones, of which some looks fail. */
function failing(which: Which, more: ClusterOptions = {}) {
  const saysOf = (look: LookOf) => (which(look) ? {} : undefined);
  return found(8, { targets, zones, saysOf, ...more });
}

/** The one finding, of which nothing is left over. */
function one(which: Which, more: ClusterOptions = {}) {
  const { findings, unexplainedTargets } = failing(which, more);
  expect(findings).toHaveLength(1);
  expect(unexplainedTargets).toBe(0);
  return findings[0];
}

describe('what is found of targets in a cluster of 8 nodes', () => {
  it('is nothing if all reach them', () => {
    expect(failing(() => false)).toMatchObject({ findings: [], unexplainedTargets: 0 });
  });

  it('is a target that is down if nobody reaches it', () => {
    const finding = one(of('registry'));
    expect(finding).toMatchObject({
      id: 'target-down:registry',
      kind: 'target-down',
      severity: 'broken',
      target: 'registry',
      since: '2026-11-21T11:58:58.000Z',
      seenBy: { failing: 8, of: 8 },
      explains: 16,
      protocols: [],
      evidence: [],
      next: ['meshprobe targets registry'],
      text: 'none of 8 nodes that looked since can reach registry',
    });
    expect(finding?.looks).toHaveLength(10);
    expect(finding?.looks?.[0]).toEqual({
      from: n(1),
      plane: 'host',
      failure: 'Connection timed out',
      since: '2026-11-21T11:59:00.000Z',
    });
    expect(finding).not.toHaveProperty('plane');
  });

  it('is down on one plane if nobody reaches it from there', () => {
    expect(one(of('registry', ({ plane }) => plane === 'endpoint'))).toMatchObject({
      id: 'target-down:registry:endpoint',
      plane: 'endpoint',
      text: 'none of 8 nodes that looked since can reach registry from their pods; 8 of 8 nodes themselves can',
    });
    expect(one(of('registry', ({ plane }) => plane === 'host'))).toMatchObject({
      id: 'target-down:registry:host',
      plane: 'host',
    });
  });

  it('is down without a plane where it is probed from one plane only', () => {
    const saysOf = ({ target, plane }: LookOf): LookSaying =>
      target !== 'registry' ? undefined : plane === 'host' ? { failure: 'refused' } : 'skip';
    expect(found(8, { targets, saysOf }).findings[0]).toMatchObject({
      id: 'target-down:registry',
      text: 'none of 8 nodes that looked since can reach registry (connection refused)',
    });
  });

  it.each<[string, Which, string]>([
    [
      'of all',
      () => true,
      'none of 8 nodes that looked since can reach registry (unexpected status, 404 at c/n1)',
    ],
    [
      'of this node alone',
      ({ from }) => from === n(1),
      'c/n1 cannot reach registry (unexpected status 404); 7 of 7 other nodes that looked since can',
    ],
    [
      'of another one alone',
      ({ from }) => from === n(3),
      'c/n3 cannot reach registry (unexpected status); 7 of 7 other nodes that looked since can',
    ],
  ])('has the status that this node got, and whose it is: %s', (_, which, text) => {
    const web = {
      name: 'registry',
      digest: 1,
      kind: 'http',
      servers: [],
      statusHere: 404,
    } as const;
    const saysOf = (look: LookOf): LookSaying =>
      of('registry', which)(look) ? { failure: 'status' } : undefined;
    const { findings } = found(8, { targets, zones, saysOf, input: { targets: [web] } });
    expect(findings[0]?.text).toBe(text);
  });

  it('is one node that cannot reach it', () => {
    const finding = one(of('registry', ({ from }) => from === n(7)));
    expect(finding).toMatchObject({
      id: 'target-unreachable:registry:c/n7',
      kind: 'target-unreachable',
      node: n(7),
      target: 'registry',
      seenBy: { failing: 1, of: 8 },
      text: 'c/n7 cannot reach registry; 7 of 7 other nodes that looked since can',
    });
    expect(finding).not.toHaveProperty('local');
  });

  it('is the own node, if that cannot', () => {
    expect(one(of('registry', ({ from }) => from === n(1)))).toMatchObject({ local: true });
  });

  it('is the pods of one node, while the node itself can', () => {
    const podsOf7: Which = ({ from, plane }) => from === n(7) && plane === 'endpoint';
    expect(one(of('registry', podsOf7))).toMatchObject({
      id: 'target-unreachable:registry:c/n7:endpoint',
      plane: 'endpoint',
      text: 'pods of c/n7 cannot reach registry; the node itself can; pods of 7 of 7 other nodes that looked since can',
    });
  });

  it('is the routing of services at one node, if that target is the service', () => {
    expect(one(of('service', ({ from }) => from === n(7)))?.text).toBe(
      'c/n7 cannot reach service; 7 of 7 other nodes that looked since can, so it is the service routing of that node (kube-proxy or its replacement)',
    );
  });

  it.each(['service', 'api-server', 'cluster-dns'])(
    'is most likely a Service without endpoints, or an API server that has ended, if nobody can send to %s in Kubernetes',
    (name) => {
      const at = (failure: 'local' | 'refused' | 'timeout', namespace: string | undefined) => {
        const saysOf = ({ target }: LookOf) => (target === name ? { failure } : undefined);
        return found(8, { targets: [name], saysOf, input: { namespace } }).findings[0];
      };
      expect(at('local', 'meshprobe')?.text).toBe(
        `none of 8 nodes that looked since can reach ${name} (could not be sent): most likely its Service has no endpoint that is ready, and kube-proxy or its replacement rejects what is sent to it`,
      );
      expect(at('refused', 'meshprobe')?.text).toContain(
        name === 'api-server'
          ? '(connection refused): most likely no API server is running where its Service sends to'
          : '(connection refused): most likely its Service has no endpoint',
      );
      const saysOf = ({ target, plane }: LookOf) =>
        target === name
          ? ({ failure: plane === 'host' ? 'local' : 'refused' } as const)
          : undefined;
      const mixed = found(8, { targets: [name], saysOf, input: { namespace: 'meshprobe' } });
      // A host rejects what it sends itself; its pods are refused.
      expect(mixed.findings[0]?.text).toContain(`reach ${name}: most likely its Service`);
      expect(at('local', undefined)?.text).not.toContain('Service');
      expect(at('timeout', 'meshprobe')?.text).not.toContain('Service');
    },
  );

  it('is one fault of the routing of services at a node, if several services fail there', () => {
    const services = ['cluster-dns', 'service', 'api-server'];
    const of7: Which = ({ from }) => from === n(7);
    const finding = one((look) => services.includes(look.target) && of7(look), {
      targets: ['registry', ...services],
    });
    expect(finding).toMatchObject({
      id: 'target-unreachable:service:c/n7',
      kind: 'target-unreachable',
      node: n(7),
      target: 'service',
      targets: ['service', 'api-server', 'cluster-dns'],
      seenBy: { failing: 1, of: 8 },
      explains: 6,
      text: 'c/n7 cannot reach service, api-server and cluster-dns; 7 of 7 other nodes that looked since can reach service, so it is the service routing of that node (kube-proxy or its replacement)',
    });
    expect(finding?.looks).toHaveLength(6);
    // Without the service target among them, the routing may be well.
    const two = failing((look) => look.target !== 'service' && of7(look), { targets: services });
    expect(two.findings.map(({ target }) => target).sort()).toEqual(['api-server', 'cluster-dns']);
    // Elsewhere these are names like any other.
    const plain = failing(of7, { targets: services, input: { namespace: undefined } });
    expect(plain.findings).toHaveLength(3);
  });

  it('is one fault of the pods of a node, if several services fail from there alone', () => {
    const podsOf7: Which = ({ from, plane }) => from === n(7) && plane === 'endpoint';
    const services = ['service', 'api-server'];
    expect(one(podsOf7, { targets: services })).toMatchObject({
      id: 'target-unreachable:service:c/n7:endpoint',
      plane: 'endpoint',
      targets: services,
      text: 'pods of c/n7 cannot reach service and api-server; the node itself can reach service; pods of 7 of 7 other nodes that looked since can reach service',
    });
  });

  it('is a zone whose nodes cannot reach it', () => {
    const inB: Which = ({ from }) => zoneB.includes(from);
    expect(one(of('registry', inB))).toMatchObject({
      id: 'target-unreachable:registry:zone=b',
      zones: ['b'],
      seenBy: { failing: 3, of: 8 },
      text: 'none of 3 nodes of zone b that looked since can reach registry; 5 of 5 other nodes that looked since can',
    });
    const pods = one(of('registry', (look) => inB(look) && look.plane === 'endpoint'));
    expect(pods?.id).toBe('target-unreachable:registry:zone=b:endpoint');
  });

  it.each(['reachable', 'unreachable'] as const)(
    'names the one DNS server of two that fails, if the target is %s then',
    (state) => {
      const input = { targets: [dns] };
      const saysOf = ({ target }: LookOf) =>
        target === 'cluster-dns' ? { state, failingServers: [1] } : undefined;
      const { findings, unexplainedTargets } = found(8, { targets, zones, saysOf, input });
      expect(findings).toMatchObject([
        {
          id: 'target-down:cluster-dns:server-2',
          kind: 'target-down',
          servers: ['10.96.0.11'],
          next: [
            'meshprobe targets cluster-dns',
            'kubectl -n kube-system get endpointslices -l k8s-app=kube-dns',
            'dig @10.96.0.11 kubernetes.default.svc A',
          ],
          text: 'none of 8 nodes that looked since can reach 10.96.0.11, one of the 2 servers of cluster-dns',
        },
      ]);
      expect(unexplainedTargets).toBe(0);
    },
  );

  it('names the server that one node alone does not reach', () => {
    const at = (ageSeconds: number) =>
      found(8, {
        targets,
        saysOf: ({ target, from }: LookOf) =>
          target === 'cluster-dns' && from === n(7)
            ? ({ state: 'reachable', failingServers: [0], ageSeconds } as const)
            : undefined,
        input: { targets: [dns] },
      });
    expect(at(1)).toMatchObject({ findings: [], unexplainedTargets: 1 });
    expect(at(30).findings).toMatchObject([
      { id: 'target-unreachable:cluster-dns:server-1:c/n7', servers: ['10.96.0.10'] },
    ]);
  });

  describe('where nodes ask other servers', () => {
    const others = ['10.96.0.11', '10.96.0.12', '10.96.0.10'];
    const hasOthers = (from: string) => [n(6), n(7), n(8)].includes(from);
    const listOf = (from: string) => rowServersOf(hasOthers(from) ? others : dns.servers);
    const withLists = (which: (look: LookOf) => Partial<RowTarget> | undefined) =>
      found(8, {
        targets,
        zones,
        saysOf: (look) => {
          const servers = listOf(look.from);
          if (look.target !== 'cluster-dns' || !servers) return undefined;
          return { state: 'reachable', ageSeconds: 30, servers, ...which(look) };
        },
        input: { targets: [dns] },
      });

    it('names no server that they do not ask, and counts those only that ask it', () => {
      const { findings, unexplainedTargets } = withLists(({ from }) =>
        hasOthers(from) ? { failingServers: [0] } : undefined,
      );
      expect(findings).toHaveLength(1);
      const [finding] = findings;
      expect(finding).not.toHaveProperty('servers');
      expect(finding?.id).toMatch(/^target-down:cluster-dns:server-1-of-[0-9a-z]+$/);
      expect(finding?.seenBy).toEqual({ failing: 3, of: 3 });
      expect(finding?.text).toBe(
        'none of 3 nodes that looked since can reach number 1, one of the 3 servers of cluster-dns that are asked there',
      );
      expect(finding?.next.join()).not.toContain('dig');
      expect(unexplainedTargets).toBe(0);
    });

    it('names the server of the own list that fails, and nobody else is counted', () => {
      const { findings } = withLists(({ from }) =>
        hasOthers(from) ? undefined : { failingServers: [1] },
      );
      expect(findings).toMatchObject([
        {
          id: 'target-down:cluster-dns:server-2',
          servers: ['10.96.0.11'],
          seenBy: { failing: 5, of: 5 },
        },
      ]);
    });

    it('is the whole target for who has one server and does not reach it', () => {
      const { findings } = found(8, {
        targets,
        saysOf: ({ target, from }) =>
          target === 'cluster-dns' && from === n(8)
            ? { ageSeconds: 30, failingServers: [0], servers: { count: 1, digest: 5 } }
            : undefined,
        input: { targets: [dns] },
      });
      expect(findings).toMatchObject([{ id: 'target-unreachable:cluster-dns:c/n8' }]);
      expect(findings[0]).not.toHaveProperty('servers');
      expect(findings[0]?.next.join()).not.toContain('dig');
    });
  });

  it('is the whole target if both servers fail', () => {
    const saysOf = ({ target }: LookOf) =>
      target === 'cluster-dns' ? { failingServers: [0, 1] } : undefined;
    const finding = found(8, { targets, saysOf, input: { targets: [dns] } }).findings[0];
    expect(finding?.id).toBe('target-down:cluster-dns');
    expect(finding).not.toHaveProperty('servers');
  });

  it.each(['slow', 'lossy'] as const)('is a %s target', (state) => {
    const saysOf = ({ target }: LookOf) =>
      target === 'registry' ? { state, ageSeconds: 120 } : undefined;
    expect(found(8, { targets, saysOf }).findings).toMatchObject([
      { id: `target-${state}:registry`, severity: 'degraded', explains: 16 },
    ]);
  });

  it('is two faults of two targets, and each of 16 if all are down', () => {
    const of7: Which = ({ from }) => from === n(7);
    const two = failing((look) => of('registry')(look) || of('service', of7)(look));
    expect(idsOf(two)).toEqual(['target-down:registry', 'target-unreachable:service:c/n7']);
    const many = Array.from({ length: 16 }, (_, at) => `t${at + 1}`);
    expect(idsOf(failing(() => true, { targets: many })).sort()).toEqual(
      many.map((name) => `target-down:${name}`).sort(),
    );
  });
});

describe('a node whose own paths are broken', () => {
  const ids = (which: Which, more: ClusterOptions) => {
    const output = failing(which, more);
    expect(output.unexplainedTargets).toBe(0);
    return idsOf(output);
  };
  const of7: Which = ({ from }) => from === n(7);
  const isIn = (zone: string) => (name: string) => zones[Number(name.slice(3)) - 1] === zone;
  const [inA, inB, inC] = [isIn('a'), isIn('b'), isIn('c')];
  /** Zones a and b are cut from each other; zone c is not. */
  const cut = failingPaths(({ from, to }) => (inA(from) && inB(to)) || (inB(from) && inA(to)));
  const idsWithCut = (saysOf: (look: LookOf) => LookSaying) =>
    idsOf(found(8, { targets, zones, says: cut, saysOf }));

  it('gives no second finding if it is isolated', () => {
    const says = failingPaths(isAt(n(7)));
    expect(ids(of7, { says })).toEqual(['node:c/n7']);
    // As it sees it itself.
    const without = namesOf(8).filter((name) => name !== n(7));
    expect(ids(of7, { says, input: { localName: n(7) }, without })).toEqual(['node:c/n7']);
  });

  it('gives no second finding on the plane that is broken, and one on the other', () => {
    const says = failingPaths(isAt(n(7), 'endpoint'));
    const podsOf7: Which = (look) => of7(look) && look.plane === 'endpoint';
    expect(ids(podsOf7, { says })).toEqual(['endpoint-plane:c/n7']);
    expect(ids(of7, { says }).sort()).toEqual([
      'endpoint-plane:c/n7',
      ...['registry', 'service'].map((name) => `target-unreachable:${name}:c/n7`),
    ]);
  });

  it('gives a finding of its own if its probes work', () => {
    const told = ids(of('registry', of7), { says: failingPaths(isTo(n(7))) });
    expect(told).toEqual(['node:c/n7', 'target-unreachable:registry:c/n7']);
  });

  it('does not hide that nobody else reaches a target either', () => {
    const output = failing(of('registry'), { says: failingPaths(isAt(n(7))) });
    expect(idsOf(output).sort()).toEqual(['node:c/n7', 'target-down:registry']);
    const seenBy = output.findings.find(({ target }) => target)?.seenBy;
    expect(seenBy).toEqual({ failing: 7, of: 7 });
  });

  it('gives no second finding if its zone is cut off, or the overlay of all is broken', () => {
    const isOff: WhichPath = ({ from, to }) => inB(from) !== inB(to);
    expect(ids(({ from }) => inB(from), { says: failingPaths(isOff) })).toEqual(['zones:b']);
    const overlay = failingPaths(isOn('endpoint'));
    expect(ids(({ plane }) => plane === 'endpoint', { says: overlay })).toEqual([
      'endpoint-plane:all',
    ]);
  });

  it('gives no second finding if its zone is cut from the one that reaches the target', () => {
    const idsIn = (isInZone: (name: string) => boolean) =>
      ids(
        of('registry', ({ from }) => isInZone(from)),
        { says: cut },
      );
    expect(idsIn(inB)).toEqual(['zones:a,b']);
    expect(idsIn(inC)).toEqual(['zones:a,b', 'target-unreachable:registry:zone=c']);
  });

  it('is told beside such a cut if the zone has reached it from its other plane all the time', () => {
    const idsWhere = (endpoint: LookSaying) =>
      idsWithCut(({ from, target, plane }) =>
        target !== 'registry' || !inB(from) ? undefined : plane === 'host' ? {} : endpoint,
      );
    expect(idsWhere(undefined)).toEqual(['zones:a,b', 'target-unreachable:registry:zone=b:host']);
    // It is back, or did not look meanwhile.
    for (const probed of [{ ageSeconds: 1 }, { ageSeconds: 900, probedSeconds: 900 }])
      expect(idsWhere({ state: 'reachable', ...probed })).toEqual(['zones:a,b']);
  });

  it('is down if the zones that are not cut off from one that is not heard fail too', () => {
    const idsWhere = (isReached: (name: string) => boolean) =>
      idsWithCut(({ from, target }) =>
        inB(from) ? 'skip' : target === 'registry' && !isReached(from) ? {} : undefined,
      );
    expect(idsWhere(inC)).toEqual(['zones:a,b']);
    expect(idsWhere(() => false)).toEqual(['zones:a,b', 'target-down:registry']);
  });

  it.each([
    ['starved', starvedRow],
    [
      'not sending',
      { row: { health: { ready: true, starved: false, notSending: ['icmp', 'http'] } } },
    ],
  ] as const)('is no witness while it is %s', (_, row) => {
    expect(ids(of7, { rows: { [n(7)]: row } })).toEqual([]);
  });

  it('makes a finding about the own agent that is starved, also where no path fails', () => {
    const starved = (which: Which, says?: ClusterOptions['says']) =>
      found(8, {
        targets,
        saysOf: (look) => (which(look) ? {} : undefined),
        ...(says && { says }),
        rows: { [n(1)]: starvedRow },
      }).findings.map(({ id, text }) => [id, text]);
    const own: Which = ({ from, target }) => from === n(1) && target !== 'service';
    const id = 'observers-missing:c/n1';
    const because = 'the agent of c/n1 gets too little CPU time, so the';
    expect(starved(of('registry', own))).toEqual([
      [id, `${because} failing target that it sees does not count`],
    ]);
    expect(starved(own)).toEqual([[id, `${because} 2 failing targets that it sees do not count`]]);
    const toOne = failingPaths(({ from, to }) => from === n(1) && to === n(2));
    expect(starved(of('registry', own), toOne)).toEqual([
      [id, `${because} 4 failing paths and 1 failing target that it sees do not count`],
    ]);
  });
});

describe('who looked since', () => {
  it('counts, and nobody else', () => {
    const which: Which = ({ from }) => [n(1), n(2), n(3)].includes(from);
    const saysOf = (look: LookOf) =>
      look.target !== 'registry'
        ? undefined
        : which(look)
          ? { ageSeconds: 20 }
          : ({ state: 'reachable', probedSeconds: 600 } as const);
    const { findings } = found(8, { targets, saysOf });
    expect(findings[0]?.text).toBe('none of 3 nodes that looked since can reach registry');
  });

  it('is said of a node alone, if no other one looked', () => {
    const saysOf = ({ from, target }: LookOf) =>
      target !== 'registry' ? undefined : from === n(7) ? {} : ({ state: 'unknown' } as const);
    expect(found(8, { targets, saysOf }).findings[0]?.text).toBe(
      'c/n7 cannot reach registry; no other node has looked since',
    );
  });

  it('is one observer: it cannot, and of the others nothing is said', () => {
    const others = namesOf(8).slice(1);
    const { findings } = failing(of('registry'), {
      without: others,
      input: { heardMsAgo: new Map(others.map((name) => [name, 1000])) },
    });
    expect(findings.map(({ text }) => text)).toEqual([
      'c/n1 cannot reach registry; no other node has looked since',
    ]);
  });

  it('is two observers of which one or both cannot', () => {
    const two = (which: Which) =>
      found(2, { targets, saysOf: (look) => (which(look) ? {} : undefined) }).findings.map(
        ({ text }) => text,
      );
    expect(two(of('registry'))).toEqual(['none of 2 nodes that looked since can reach registry']);
    expect(two(of('registry', ({ from }) => from === n(2)))).toEqual([
      'c/n2 cannot reach registry; 1 of 1 other nodes that looked since can',
    ]);
  });

  it('says how many cannot if some can, under the same id', () => {
    const finding = one(of('registry', ({ from }) => from !== n(3)));
    expect(finding).toMatchObject({ id: 'target-down:registry', kind: 'target-unreachable' });
    expect(finding?.text).toBe('7 of 8 nodes that looked since cannot reach registry');
  });
});

describe('rows of targets that nobody can trust', () => {
  it('are not counted with another definition', () => {
    const saysOf = ({ target, from }: LookOf) =>
      target !== 'registry' ? undefined : [n(7), n(8)].includes(from) ? { digest: 2 } : undefined;
    const { findings } = found(8, { targets, saysOf });
    expect(findings).toMatchObject([{ id: 'target-down:registry', seenBy: { failing: 2, of: 2 } }]);
  });

  it('give no two findings of one id', () => {
    const saysOf = ({ target, from }: LookOf) =>
      target === 'registry' ? { digest: [n(7), n(8)].includes(from) ? 2 : 1 } : undefined;
    const { findings } = found(8, { targets, saysOf });
    expect(findings).toMatchObject([{ id: 'target-down:registry', seenBy: { failing: 6, of: 6 } }]);
  });

  it('with names that are none say nothing', () => {
    const strange = ['', 'UPPER', '-x', 'a b', '\u001b[31mred', '__proto__', '$(reboot)'];
    const hostile = [...strange, 'x'.repeat(64)];
    expect(failing(() => true, { targets: hostile }).findings).toEqual([]);
  });

  it('with senseless numbers do no harm', () => {
    const saysOf = () => ({ ageSeconds: -5, probedSeconds: -1, failingServers: [-1, 99, 3, 3] });
    const { findings } = found(8, { targets, saysOf });
    expect(findings.every(({ since }) => Date.parse(since) <= start)).toBe(true);
  });

  it('count the first of two entries about one plane', () => {
    const look = { target: 'registry', digest: 1, plane: 'host', probedSeconds: 1 } as const;
    const well = { ...look, state: 'reachable', ageSeconds: 60 } as const;
    const failed = { ...look, state: 'unreachable', ageSeconds: 60 } as const;
    const rows = { [n(7)]: { row: { targets: [well, failed] } } };
    expect(failing(() => false, { rows }).findings).toEqual([]);
  });

  it('from thousands of definitions are bounded', () => {
    const saysOf = ({ from, target }: LookOf) => ({ target: `${target}-${from.slice(3)}` });
    const { findings } = found(200, { targets, saysOf });
    const named = new Set(findings.map(({ target }) => target));
    expect(named.size).toBeGreaterThan(0);
    expect(named.size).toBeLessThanOrEqual(32);
  });

  it('of a target that nobody probes say nothing', () => {
    expect(failing(() => false, { saysOf: () => 'skip' })).toMatchObject({ findings: [] });
    expect(found(8, { targets, saysOf: () => ({ state: 'unknown' }) })).toMatchObject({
      findings: [],
      unexplainedTargets: 0,
    });
  });
});

describe('many nodes that cannot reach one target', () => {
  it('are one finding with their number', () => {
    const saysOf = ({ from, target }: LookOf) =>
      target === 'registry' && Number(from.slice(3)) % 4 === 0 ? {} : undefined;
    const { findings, unexplainedTargets } = found(100, { targets, saysOf });
    expect(findings).toMatchObject([
      {
        id: 'target-unreachable:registry:many',
        count: 25,
        seenBy: { failing: 25, of: 100 },
        text: '25 of 100 nodes that looked since cannot reach registry (c/n100, c/n12, c/n16, ...)',
      },
    ]);
    expect(unexplainedTargets).toBe(0);
  });
});
