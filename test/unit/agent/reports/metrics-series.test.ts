import { beforeEach, describe, expect, test } from 'vitest';
import type { Finding, FindingKind } from '../../../../agent/diagnosis/nouns/finding.js';
import type { Node } from '../../../../agent/model/node.js';
import { hostSigns, maxRowSigns, type HostSign } from '../../../../agent/model/row-host.js';
import { protocols } from '../../../../agent/model/sample.js';
import { createMetrics, type Metrics } from '../../../../agent/reports/metrics.js';
import { createMetricsView } from '../../../../agent/reports/metrics-source.js';
import type { ClusterOverview, ClusterState } from '../../../../agent/reports/v1/cluster-state.js';
import { verdictOf } from '../../../../agent/reports/v1/verdict.js';
import type { TargetView } from '../../../../agent/targets/views.js';
import { stateOf } from './v1/cluster.js';
import { targetOf, viewOf } from './v1/target-views.js';
import type { ResultStore } from '../../../../agent/results/result-store.js';
import { makeFinding } from '../../../rows/make-finding.js';
import { answered, lost, makeStore } from '../../../rows/make-store.js';
import { numberedNodes } from '../../../rows/numbered-nodes.js';

const kinds: readonly FindingKind[] = [
  ...(['node-down', 'node-isolated', 'agent-down', 'endpoint-down', 'host-plane'] as const),
  ...(['endpoint-plane', 'icmp-filtered', 'http-filtered', 'zones', 'pair'] as const),
  ...(['lossy', 'slow', 'not-listed', 'observers-missing'] as const),
];

const isHost = ({ plane }: { readonly plane: string }) => plane === 'host';

/** As many findings of every kind as an agent may have. */
function manyFindings(): Finding[] {
  return Array.from({ length: 64 }, (_, index) =>
    makeFinding({
      id: `finding:${index}`,
      kind: kinds[index % kinds.length] ?? 'node-down',
      severity: index % 2 === 0 ? 'broken' : 'degraded',
      node: `c/n${index}`,
    }),
  );
}

const certificate = { answer: { certificateEndsAt: 1.8e12 } };
const ofKubernetes = [
  viewOf(targetOf('cluster-dns')),
  viewOf(targetOf('api-server'), certificate),
  viewOf(targetOf('service')),
];
const sixteen = Array.from({ length: 16 }, (_, index) =>
  viewOf(targetOf(`t${index}`), certificate),
);

const silent = { fresh: 0, stale: 0, silent: 2 };
const unknownPlane = { node: 'c/n2', plane: 'host' } as const;
const icmpOff = {
  protocol: 'icmp',
  reason: 'not permitted',
  text: 'ICMP is not probed',
  switchedOff: false,
} as const;
const external = { everyAddressIsMeant: false };

/** The results and metrics of one agent. */
class Agent {
  readonly store: ResultStore;
  readonly clock = { ms: 0, nowMs: () => this.clock.ms, wallMs: () => this.clock.ms };
  findings: readonly Finding[] = [];
  signs: readonly { readonly sign: HostSign }[] = [];
  targets: readonly TargetView[] = [];
  /** What else is known of the cluster. */
  state: Partial<ClusterState> = {};
  standsFor: ClusterOverview['standsFor'] = () => [];
  #nodes: readonly Node[] = [];
  readonly #metrics: Metrics;

  constructor(failures = 1) {
    this.store = makeStore({ each: { failures, recovery: 1 }, clock: this.clock });
    this.#metrics = createMetrics(
      '1',
      createMetricsView({
        store: this.store,
        state: () => this.#state(),
        hints: () => [
          { labels: { direction: 'sent' }, value: 0 },
          ...['probed', 'known', 'refused'].map((use) => ({
            labels: { direction: 'received', use },
            value: 0,
          })),
        ],
        signs: () => this.signs,
        nodeListAgeSeconds: () => 0,
        eventLoopStallSeconds: () => 0,
        isReady: () => true,
      }),
    );
  }

  /** Lists these nodes and probes each path once by each protocol. Those to a second address fail. */
  probe(nodes: readonly Node[], isAlive: boolean): void {
    const added = new Set(this.store.setNodes(nodes).added);
    this.#nodes = nodes;
    const plan = { paths: 2 * nodes.length, intervalMs: 1000, timeToDetectMs: 2500 };
    this.store.setPlan({ icmp: plan, http: plan });
    const second = new Set(nodes.flatMap(({ host }) => host.slice(1)));
    for (const path of added) {
      const sample = isAlive && !second.has(path.ip) ? answered : lost;
      for (const protocol of protocols)
        this.store.record(path, protocol, { ...sample, at: Date.now() });
    }
  }

  /** The verdict as the bodies of the API have it. */
  verdict(): string {
    return verdictOf(this.#state()).verdict;
  }

  #state(): ClusterState {
    const { store } = this;
    return {
      ...stateOf([], this.state),
      nodes: this.#nodes,
      localName: 'c/n0',
      findings: this.findings,
      standsFor: this.standsFor,
      observers: { fresh: this.#nodes.length, stale: 0, silent: 0, ...this.state.observers },
      targets: this.targets,
      get snapshot() {
        return store.snapshot();
      },
    };
  }

  series(): string[] {
    const text = this.#metrics.render();
    return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  }
}

describe('the series of an agent', () => {
  let agent: Agent;
  beforeEach(() => (agent = new Agent()));

  test.each([10, 1000, 5000])('are at most 150 while %i nodes are well', (count) => {
    agent.probe(numberedNodes(count), true);
    const series = agent.series();
    expect(series.length).toBeLessThanOrEqual(150);
    expect(series).toContain(
      `meshprobe_paths{plane="host",protocol="icmp",state="reachable"} ${count}`,
    );
  });

  test.each([10, 1000, 5000])(
    'are at most 250 while %i nodes are down, with findings of every kind',
    (count) => {
      agent.probe(numberedNodes(count), false);
      agent.findings = manyFindings();
      agent.signs = hostSigns.slice(0, maxRowSigns).map((sign) => ({ sign }));
      const series = agent.series();
      expect(series.length).toBeLessThanOrEqual(250);
      const startingWith = (name: string) => series.filter((line) => line.startsWith(name));
      expect(startingWith('meshprobe_unreachable_path_info{')).toHaveLength(32);
      expect(startingWith('meshprobe_unreachable_paths_unnamed')).toEqual([
        `meshprobe_unreachable_paths_unnamed ${4 * count - 32}`,
      ]);
      expect(startingWith('meshprobe_finding_info{')).toHaveLength(16);
      expect(series).toContain('meshprobe_findings{severity="broken"} 32');
    },
  );

  test.each([
    ['none', [], 150, 250],
    ['the three of Kubernetes', ofKubernetes, 170, 220],
    ['sixteen', sixteen, 280, 330],
  ] as const)('are bounded with targets, too: %s', (_, targets, whileWell, inAnOutage) => {
    agent.probe(numberedNodes(1000), true);
    agent.targets = targets;
    expect(agent.series().length).toBeLessThanOrEqual(whileWell);
    const failing = new Agent();
    failing.probe(numberedNodes(1000), false);
    failing.findings = manyFindings();
    failing.targets = targets;
    expect(failing.series().length).toBeLessThanOrEqual(inAnOutage);
  });

  test('are as many as before once 1,000 nodes came, failed and went', () => {
    agent.probe(numberedNodes(10), true);
    const before = agent.series();
    agent.probe(numberedNodes(1010), false);
    agent.findings = manyFindings();
    expect(agent.series().length).toBeGreaterThan(before.length);
    agent.probe(numberedNodes(10), true);
    agent.findings = [];
    const nameOf = (line: string) => line.slice(0, line.lastIndexOf(' '));
    expect(agent.series().map(nameOf)).toEqual(before.map(nameOf));
  });

  const second = (ip: string) =>
    numberedNodes(3).map((node, at) => (at === 1 ? { ...node, host: [...node.host, ip] } : node));
  test.each<[string, readonly Node[], boolean, Partial<ClusterState>, string]>([
    ['while all is known and well', numberedNodes(3), true, {}, 'ok'],
    ['without a node list', [], true, {}, 'unknown'],
    ['before the first sweep', numberedNodes(3), true, { isSwept: false }, 'unknown'],
    ['while no other agent is heard', numberedNodes(3), true, { observers: silent }, 'unknown'],
    ['while a failing pair has no finding', numberedNodes(3), true, { unexplained: 1 }, 'unknown'],
    ['while own paths fail without a finding', numberedNodes(3), false, {}, 'unknown'],
    ['while only the own node does not answer', numberedNodes(1), false, {}, 'ok'],
    ['while nobody knows a node', numberedNodes(3), true, { notKnown: [unknownPlane] }, 'unknown'],
    ['while ICMP is not permitted', numberedNodes(3), true, { notProbed: [icmpOff] }, 'unknown'],
    ['while a second address fails', second('10.9.0.1'), true, {}, 'unknown'],
    ['while one of another family fails', second('fd00::1'), true, external, 'unknown'],
    ['while one that may be external fails', second('10.9.0.1'), true, external, 'ok'],
  ])('say whether the verdict is unknown: %s', (_, nodes, isAlive, state, verdict) => {
    agent.probe(nodes, isAlive);
    agent.state = state;
    expect(agent.verdict()).toBe(verdict);
    const isUnknown = verdict === 'unknown' ? 1 : 0;
    expect(agent.series()).toContain(`meshprobe_verdict_unknown ${isUnknown}`);
  });

  test('say of an open finding nothing else', () => {
    agent.probe(numberedNodes(3), false);
    agent.findings = manyFindings().slice(0, 1);
    expect(agent.verdict()).toBe('broken');
    expect(agent.series()).toContain('meshprobe_verdict_unknown 0');
  });

  test('name a mild finding of a kind of its own beside more broken ones than are named', () => {
    agent.probe(numberedNodes(40), false);
    const broken = Array.from({ length: 30 }, (_, at) => makeFinding({ node: `c/n${at}` }));
    agent.findings = [
      ...broken,
      makeFinding({ kind: 'lossy', severity: 'degraded', node: 'c/n39' }),
    ];
    const named = agent.series().filter((line) => line.startsWith('meshprobe_finding_info{'));
    expect(named).toHaveLength(16);
    expect(named).toContain(
      'meshprobe_finding_info{kind="lossy",severity="degraded",subject="c/n39",known=""} 1',
    );
    // Whoever needs all counts those that have no name.
    expect(agent.series()).toContain('meshprobe_findings{severity="broken"} 30');
  });

  test('say what Kubernetes says of the node of a finding', () => {
    const notReady = { condition: { name: 'NotReady', sinceAt: 1 } } as const;
    const cordoned = { lifecycle: { phase: 'excluded', reason: 'cordoned' } } as const;
    const [n0, n1, n2, ...others] = numberedNodes(4) as [Node, Node, Node, Node];
    agent.probe(
      [n0, { ...n1, ...notReady }, { ...n2, ...notReady, ...cordoned }, ...others],
      false,
    );
    agent.findings = manyFindings().slice(0, 2);
    const series = agent.series();
    expect(series).toContain('meshprobe_nodes_not_ready 1');
    const known = series.filter((line) => line.startsWith('meshprobe_finding_info{'));
    expect(known.map((line) => /subject="(.*)",known="(.*)"/.exec(line)?.slice(1))).toEqual([
      ['c/n0', ''],
      ['c/n1', 'NotReady'],
    ]);
  });

  test.each([
    [[1, 2], 'NotReady'],
    [[1, 2, 3], ''],
  ])('say of a finding of many what Kubernetes says of all: %j', (numbers, known) => {
    const condition = { name: 'NotReady', sinceAt: 1 } as const;
    agent.probe(
      numberedNodes(4).map((node, at) => (at === 1 || at === 2 ? { ...node, condition } : node)),
      false,
    );
    const [{ node, ...one } = {} as Finding] = manyFindings();
    expect(node).toBe('c/n0');
    agent.findings = [{ ...one, id: 'node-down:many', count: 2 }];
    const cause = { trouble: 'broken', channels: 15, type: 'node' } as const;
    agent.standsFor = () => numbers.map((number) => ({ ...cause, names: [`c/n${number}`] }));
    expect(agent.series().filter((line) => line.includes('node-down:many'))).toEqual([
      expect.stringContaining(`subject="node-down:many",known="${known}"`),
    ]);
  });

  test('tell lossy paths from slow ones, and count both as degraded', () => {
    const agent = new Agent(3);
    const [lossy, slow] = agent.store.setNodes(numberedNodes(2)).added.filter(isHost);
    const reply = (rttNs: number) => ({ ...answered, rttNs });
    for (let round = 0; round < 200; round++) {
      if (slow) agent.store.record(slow, 'icmp', reply(1e6));
      if (lossy) agent.store.record(lossy, 'icmp', reply(1e6));
    }
    for (let round = 0; round < 60; round++) if (slow) agent.store.record(slow, 'icmp', reply(9e6));
    for (const sample of [lost, reply(1e6), lost, reply(1e6), lost, reply(1e6)]) {
      if (lossy) agent.store.record(lossy, 'icmp', sample);
    }
    const series = agent.series();
    const of = (state: string) =>
      series.find((line) =>
        line.startsWith(`meshprobe_paths{plane="host",protocol="icmp",state="${state}"}`),
      );
    expect(of('lossy')).toMatch(/ 1$/);
    expect(of('slow')).toMatch(/ 1$/);
    expect(of('degraded')).toMatch(/ 2$/);
  });

  test('name the paths that are down for longest', () => {
    const nodes = numberedNodes(100);
    const paths = agent.store.setNodes(nodes).added;
    // The nodes fail one after the other, from the end of the list to its start.
    for (const path of [...paths].reverse()) {
      agent.clock.ms += 1000;
      for (const protocol of protocols) agent.store.record(path, protocol, lost);
    }
    const named = agent
      .series()
      .filter((line) => line.startsWith('meshprobe_unreachable_path_info{'))
      .map((line) => /node="(c\/n\d+)"/.exec(line)?.[1]);
    const longest = nodes.slice(-8).map(({ name }) => name);
    expect(new Set(named)).toEqual(new Set(longest));
  });
});
