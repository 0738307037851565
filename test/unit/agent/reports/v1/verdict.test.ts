import { describe, expect, test } from 'vitest';
import type { Node } from '../../../../../agent/model/node.js';
import type { Sample } from '../../../../../agent/model/sample.js';
import type { ClusterState } from '../../../../../agent/reports/v1/cluster-state.js';
import { summaryBody } from '../../../../../agent/reports/v1/summary-body.js';
import { summarySchema } from '../../../../../api/schema/v1/summary.js';
import { at, fresh, nodeOf, rowOf, stateOf, storeWhere } from './cluster.js';
import { saidOf, targetOf, viewOf } from './target-views.js';
import { answered, lost } from '../../../../rows/make-store.js';

const nodes = [nodeOf(1), nodeOf(2), nodeOf(3)];
const reply = { ...answered, at };
const refused: Sample = { ...lost, at, kind: 'refused', detail: 'Connection refused' };

function verdict(more: Partial<ClusterState> = {}, listed: readonly Node[] = nodes): unknown[] {
  const body = summarySchema.parse(summaryBody(stateOf(listed, more)));
  return [body.verdict, body.reason];
}

function finding(severity: 'broken' | 'degraded', text: string): never {
  return { id: text, kind: 'pair', severity, text } as never;
}

/** A snapshot in which the HTTP probes of these nodes gave this sample, and all others are answered. */
const snapshotWhere = (sample: Sample, isHit: (node: string) => boolean, listed = nodes) =>
  storeWhere(listed, ({ node }) => ({
    icmp: reply,
    http: isHit(node) ? sample : reply,
  })).snapshot();

const unheard = { fresh: 0, stale: 0, silent: 2 };

describe('the verdict', () => {
  test('is ok without a reason if the agent knows enough', () => {
    expect(verdict()).toEqual(['ok', undefined]);
  });

  const host = 'host' as const;
  const waiting = 'waiting for nodes: there is no node list yet (gone)';
  const notKnown = [
    { node: 'c/n2', plane: host },
    { node: 'c/n2', plane: 'endpoint' as const },
    { node: 'c/n3', plane: host },
  ];
  test.each([
    ['without a node list', { isListed: false }, [], 'there is no node list yet'],
    ['while the node source waits', { isListed: false, nodeSourceProblem: waiting }, [], waiting],
    ['with an empty node list', {}, [], 'the node list is empty, so no node is probed'],
    [
      'with an empty node list of a source that waits',
      { nodeSourceProblem: 'waiting for nodes' },
      [],
      'the node list is empty, so no node is probed; waiting for nodes',
    ],
    [
      'just after the process stood still',
      { isSettling: true },
      nodes,
      'this agent was stopped for a while and looks at all nodes anew',
    ],
    [
      'before the first sweep',
      { isSwept: false },
      nodes,
      'the first probes of 3 nodes are under way',
    ],
    [
      "while the agent's own node is not listed",
      { localName: 'c/n1.example' },
      nodes,
      "this agent's node c/n1.example is not in the node list",
    ],
    [
      'while one failing pair has no finding',
      { unexplained: 1 },
      nodes,
      '1 failing pair, cause not known yet',
    ],
    [
      'while several failing pairs have no finding',
      { unexplained: 3 },
      nodes,
      '3 failing pairs, cause not known yet',
    ],
    [
      'while a failing target has no finding',
      { unexplainedTargets: 1 },
      nodes,
      '1 failing target, cause not known yet',
    ],
    [
      'while nobody knows a node, as it has only addresses of a family that no host has',
      { notKnown },
      nodes,
      'no agent knows whether the host plane of c/n2 works, nor of 1 other node',
    ],
    [
      'while pairs and targets fail without a finding',
      { unexplained: 1, unexplainedTargets: 2 },
      nodes,
      '1 failing pair and 2 failing targets, cause not known yet',
    ],
  ])('is unknown %s', (_, more, listed, reason) => {
    expect(verdict(more, listed)).toEqual(['unknown', reason]);
  });

  describe('with a target', () => {
    const { digest } = targetOf('registry');
    const rowSaying = (state: 'reachable' | 'unknown') =>
      fresh(
        rowOf('c/n2', [], {
          targets: [saidOf('registry', { digest, plane: 'endpoint', state })],
        }),
      );
    const unlooked = viewOf(targetOf('registry'));
    const [host, endpoint] = unlooked.planes;
    if (!host || !endpoint) throw new Error('expected two planes');
    const notHere = { ...endpoint, unknownBecause: 'no endpoint of this node answers' };
    const targets = [{ ...unlooked, planes: [host, notHere] }];

    test('that nobody knows from one of its planes is unknown, with why', () => {
      const reason =
        'no agent knows whether registry is reached from the endpoint plane: no endpoint of this node answers';
      expect(verdict({ targets })).toEqual(['unknown', reason]);
      expect(verdict({ targets, rows: [rowSaying('unknown')] })).toEqual(['unknown', reason]);
    });

    test('that this or another agent knows is ok', () => {
      expect(verdict({ targets: [unlooked] })).toEqual(['ok', undefined]);
      expect(verdict({ targets, rows: [rowSaying('reachable')] })).toEqual(['ok', undefined]);
    });
  });

  describe('while ICMP is not probed', () => {
    const text = 'no permission to send ICMP: run as root';
    const notProbed = [
      { protocol: 'icmp' as const, reason: 'no permission', text, switchedOff: false },
    ];

    test('is unknown, though nothing fails', () => {
      expect(verdict({ notProbed })).toEqual(['unknown', 'ICMP is not probed (no permission)']);
      const broken = { notProbed, findings: [finding('broken', 'c/n3 is down')] };
      expect(verdict(broken)).toEqual(['broken', 'c/n3 is down']);
    });

    test('is ok where a setting asked for it', () => {
      const off = [{ ...notProbed[0], reason: 'switched off', switchedOff: true }] as never;
      expect(verdict({ notProbed: off })).toEqual(['ok', undefined]);
    });

    test('comes with counts of what is probed, and with why', () => {
      const body = summarySchema.parse(summaryBody(stateOf(nodes, { notProbed })));
      expect(Object.keys(body.paths.host)).toEqual(['http']);
      expect(body.notProbed).toEqual(notProbed);
    });
  });

  test('comes with the problems of the agent itself', () => {
    const problems = [
      { code: 'targets-file', severity: 'error' as const, text: 'targets.yaml: line 3: bad' },
    ];
    const body = summarySchema.parse(summaryBody(stateOf(nodes, { problems })));
    expect([body.verdict, body.problems]).toEqual(['ok', problems]);
  });

  test('is the severity of the worst finding, with its text', () => {
    const slow = finding('degraded', 'c/n2 is slow');
    const down = finding('broken', 'c/n3 is down');
    expect(verdict({ findings: [slow] })).toEqual(['degraded', 'c/n2 is slow']);
    expect(verdict({ findings: [down, slow], unexplained: 3 })).toEqual([
      'broken',
      'c/n3 is down, and 1 more finding',
    ]);
  });

  test('is unknown while the own node is not listed, though a finding says so', () => {
    const notListed = { ...(finding('degraded', 'x') as object), kind: 'not-listed' } as never;
    const more = { localName: 'c/other', findings: [notListed] };
    expect(verdict(more)[0]).toBe('unknown');
    expect(verdict({ ...more, findings: [finding('broken', 'y'), notListed] })[0]).toBe('broken');
  });

  test('is unknown until another agent was heard, and counts those that refuse the port', () => {
    expect(verdict({ observers: unheard })).toEqual([
      'unknown',
      'no other agent tells what it sees yet (2 of 2 answer on port 4240)',
    ]);
    const snapshot = snapshotWhere(refused, (node) => node !== 'c/n1');
    expect(verdict({ observers: unheard, snapshot, unexplained: 4 })).toEqual([
      'unknown',
      'no other agent answers yet (2 refuse port 4240)',
    ]);
    const silent = snapshotWhere({ ...refused, kind: 'timeout' }, (node) => node !== 'c/n1');
    expect(verdict({ observers: unheard, snapshot: silent })).toEqual([
      'unknown',
      'no other agent answers yet',
    ]);
  });

  test('needs no other agent where none is listed, or where agents exchange nothing', () => {
    const none = { fresh: 0, stale: 0, silent: 0 };
    expect(verdict({ observers: none }, [nodeOf(1)])).toEqual(['ok', undefined]);
    expect(verdict({ observers: none })).toEqual(['ok', undefined]);
  });

  test('is unknown while the diagnosis has not looked at an own failing path', () => {
    const failed = snapshotWhere({ ...refused, kind: 'timeout' }, (node) => node === 'c/n3');
    expect(verdict({ snapshot: failed })).toEqual([
      'unknown',
      '2 failing pairs, cause not known yet',
    ]);
    const own = snapshotWhere(refused, (node) => node === 'c/n1');
    expect(verdict({ snapshot: own })).toEqual(['ok', undefined]);
    const cordoned = nodeOf(3, { lifecycle: { phase: 'excluded' } });
    const excluded = snapshotWhere(refused, (node) => node === 'c/n3', [
      nodeOf(1),
      nodeOf(2),
      cordoned,
    ]);
    expect(verdict({ snapshot: excluded })).toEqual(['ok', undefined]);
  });

  test('is unknown while most agents that told what they see no longer tell it', () => {
    const told = (fresh: number, stale: number, silent = 0) =>
      verdict({ observers: { fresh, stale, silent, oldestSeconds: 900 }, missedObservers: stale });
    expect(told(0, 39)).toEqual(['unknown', 'only 0 of 39 other agents still tell what they see']);
    expect(told(19, 20)[0]).toBe('unknown');
    expect(told(20, 20)[0]).toBe('ok');
    // Agents on a part of the nodes: nobody tells anything of the rest, and nobody ever did.
    expect(told(3, 0, 36)[0]).toBe('ok');
    const down = finding('broken', 'c/n3 is down');
    const observers = { fresh: 0, stale: 39, silent: 0 };
    expect(verdict({ observers, missedObservers: 39, findings: [down] })[0]).toBe('broken');
    // Nodes that are not expected to answer are not missed.
    expect(verdict({ observers, missedObservers: 0 })[0]).toBe('ok');
  });

  test('is unknown while second addresses of another family do not answer', () => {
    const dual = [1, 2, 3].map((number) => {
      const { host, ...node } = nodeOf(number);
      return { ...node, host: [...host, `fd00::${number}`] };
    });
    const listed = (fails: (ip: string) => boolean, protocol: 'icmp' | 'http') => {
      const store = storeWhere(dual, ({ ip }) => ({
        icmp: fails(ip) && protocol === 'icmp' ? refused : reply,
        http: fails(ip) && protocol === 'http' ? refused : reply,
      }));
      return verdict({ snapshot: store.snapshot() }, dual);
    };
    const isIPv6 = (ip: string) => ip.includes(':');
    expect(listed(isIPv6, 'http')).toEqual([
      'unknown',
      '2 of 2 second IPv6 addresses on the host plane do not answer by HTTP (fd00::2 of c/n2 and 1 more)',
    ]);
    expect(listed(isIPv6, 'icmp')[0]).toBe('unknown');
    expect(listed((ip) => ip === 'fd00::2', 'http')).toEqual([
      'unknown',
      '1 of 2 second IPv6 addresses on the host plane does not answer by HTTP (fd00::2 of c/n2)',
    ]);
    expect(listed((ip) => ip === 'fd00::1', 'http')).toEqual(['ok', undefined]);
  });

  test('is unknown while a further address of the same family does not answer, where all are meant to', () => {
    const further = [nodeOf(1), nodeOf(2), nodeOf(3, { host: ['198.51.100.3', '198.51.100.33'] })];
    const snapshot = storeWhere(further, ({ ip }) => ({
      icmp: ip === '198.51.100.33' ? { ...lost, at } : reply,
      http: reply,
    })).snapshot();
    expect(verdict({ snapshot }, further)).toEqual([
      'unknown',
      '1 of 1 second IPv4 address on the host plane does not answer by ICMP (198.51.100.33 of c/n3)',
    ]);
    expect(verdict({ snapshot, everyAddressIsMeant: false }, further)).toEqual(['ok', undefined]);
  });

  test('is unknown while this agent knows less than half of its paths by a channel that it probes', () => {
    const isHit = (node: string) => node !== 'c/n1';
    const unsent: Sample = {
      outcome: 'not-sent',
      reason: 'no-descriptor',
      detail: 'too many open files',
      sentMs: 1,
      at,
    };
    const plan = { paths: 6, intervalMs: 5000, timeToDetectMs: 6500 };
    const probed = (protocols: readonly ('icmp' | 'http')[], hit = isHit) => {
      const snapshot = snapshotWhere(unsent, hit);
      const planned = Object.fromEntries(protocols.map((protocol) => [protocol, plan]));
      return verdict({ snapshot: { ...snapshot, counts: snapshot.counts, plan: planned } });
    };
    expect(probed(['icmp', 'http'])).toEqual([
      'unknown',
      '2 of 3 paths by HTTP on the host plane are not known: probes could not be sent (too many open files)',
    ]);
    expect(probed(['icmp', 'http'], (node) => node === 'c/n2')[0]).toBe('ok');
    // What nobody probes is known to be unknown.
    expect(probed(['icmp'])[0]).toBe('ok');
  });
});
