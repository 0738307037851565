import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { clusterKinds } from '../../faults/group-kinds.js';
import type { Fault } from '../../faults/fault.js';
import { nodeKinds } from '../../faults/node-kinds.js';
import { layoutOf } from '../diagnosis/scenarios/random-layout.js';
import type { RoundPlan } from '../timeline/round-plan.js';
import { roundOf } from '../timeline/run-round.js';
import { AgentWatch } from '../timeline/watch.js';
import { SizeFigures } from './size-figures.js';
import { makeFinding } from '../../rows/make-finding.js';

const layout = layoutOf(60, 1, () => 0);
const [beginMs, endMs] = [10_000, 30_000];

/** The agent of c/n60 is gone from 10 to 30 s. */
const agentGone: RoundPlan = {
  seed: 1,
  layout,
  faults: [
    { fault: nodeKinds.agentGone.make(layout, { type: 'node', node: 59 }, 0), beginMs, endMs },
  ],
  restarts: [],
  targetHosts: undefined,
  watched: [0],
  endMs: 60_000,
};

const finding = (node: string) =>
  makeFinding({ id: `agent:${node}`, kind: 'agent-down', node, protocols: ['http'], text: node });

/** What an agent is worth that says this at each time. */
function judge(
  saidAt: (atMs: number) => readonly Finding[],
  plan: RoundPlan = agentGone,
): SizeFigures {
  let nowMs = 0;
  const agents = layout.names.map((_, node) => ({
    startedMs: -Infinity,
    get findings() {
      return node === 0 ? saidAt(nowMs) : [];
    },
  }));
  const cluster = {
    nowMs: () => nowMs,
    get agents() {
      const isGone = nowMs >= beginMs && nowMs < endMs;
      return agents.map((agent, node) => (isGone && node === 59 ? undefined : agent));
    },
  };
  const watch = new AgentWatch(plan, cluster, 0, {
    mayNameUntilMs: (planned) => planned.endMs + 3000,
    newForMs: 12_000,
    backForMs: 8000,
  });
  for (; nowMs < plan.endMs; nowMs += 100) watch.look();
  const figures = new SizeFigures();
  figures.add(roundOf(plan, [watch.record]));
  return figures;
}

const rightly = (atMs: number) =>
  atMs >= beginMs + 4000 && atMs < endMs + 2000 ? [finding('c/n60')] : [];

describe('an agent that is judged', () => {
  it('is right where it says the fault and nothing else, from when to when it is so', () => {
    expect(judge(rightly).print(60)).toBe(
      'size 60: 1 of 1 rounds right, median 4.0 s, worst 4.0; wrong in 0, longest 0.0 s; came again in 0',
    );
  });

  it('is not right where it misses the fault', () => {
    expect(judge(() => []).print(60)).toBe(
      'size 60: 0 of 1 rounds right, median never, worst never; wrong in 0, longest 0.0 s; came again in 0',
    );
  });

  it('is not right where it says the fault no more while it lasts', () => {
    const figures = judge((atMs) => (atMs < endMs - 5000 ? rightly(atMs) : []));
    expect(figures.right).toHaveLength(0);
  });

  it('lets the fault come again where it does not say it for a time', () => {
    const figures = judge((atMs) => (atMs >= 20_000 && atMs < 22_000 ? [] : rightly(atMs)));
    expect(figures.right).toHaveLength(1);
    expect(figures.print(60)).toMatch(/; came again in 1$/);
  });

  it.each([
    ['before any fault', 2000],
    ['while the fault lasts', 20_000],
    ['after the repair', 50_000],
  ])('is wrong where it says what is not so %s', (_, fromMs) => {
    const figures = judge((atMs) => [
      ...rightly(atMs),
      ...(atMs >= fromMs && atMs < fromMs + 1000 ? [finding('c/n7')] : []),
    ]);
    expect(figures.wrongRounds()).toHaveLength(1);
    expect(figures.longestWrongMs()).toBeGreaterThan(800);
    expect(figures.longestWrongMs()).toBeLessThan(1200);
  });

  it('is wrong where it says the fault long after the repair', () => {
    const figures = judge((atMs) =>
      atMs > beginMs && atMs < endMs + 20_000 ? [finding('c/n60')] : [],
    );
    expect(figures.wrongRounds('repaired')).toHaveLength(1);
    expect(figures.longestWrongMs()).toBeGreaterThan(16_000);
  });

  it('is not wrong where it says what looks like a fault, while another finding still closes', () => {
    const overlay = clusterKinds.overlay.make(layout, { type: 'cluster' }, 0);
    const cut = nodeKinds.hostPlane.make(layout, { type: 'node', node: 6 }, 0);
    const [agent] = agentGone.faults;
    const faults = [
      { fault: overlay, beginMs: 5000, endMs: 50_000 },
      { fault: cut, beginMs: 8000, endMs: 50_000 },
      ...(agent ? [agent] : []),
    ];
    const plane = makeFinding({
      id: 'endpoint-plane:all',
      kind: 'endpoint-plane',
      plane: 'endpoint',
      protocols: ['icmp', 'http'],
    });
    const off = (node: string) => makeFinding({ id: node, kind: 'node-down', node, protocols: [] });
    const wrongRounds = (node: string) =>
      judge(
        (atMs) => (atMs < 12_000 || atMs > 50_000 ? [] : [plane, off(node), ...rightly(atMs)]),
        { ...agentGone, faults },
      ).wrongRounds();
    // Beside a broken overlay nobody sees more of a node that is off than that its node IP fails.
    expect(wrongRounds('c/n7')).toHaveLength(0);
    expect(wrongRounds('c/n8')).toHaveLength(1);
  });

  it('is not wrong where it still says a fault whose end another one hides', () => {
    const at = { type: 'node', node: 6 } as const;
    const hangs = nodeKinds.agentHangs.make(layout, at, 0);
    const cut = nodeKinds.hostPlane.make(layout, at, 0);
    const echoes = nodeKinds.icmp.make(layout, at, 0);
    const wrongRounds = (next: Fault) =>
      judge((atMs) => (atMs > beginMs && atMs < 50_000 ? [finding('c/n7')] : []), {
        ...agentGone,
        faults: [
          { fault: hangs, beginMs, endMs },
          { fault: next, beginMs: endMs, endMs: 50_000 },
        ],
      }).wrongRounds();
    expect(wrongRounds(cut)).toHaveLength(0);
    expect(wrongRounds(echoes)).toHaveLength(1);
  });

  it('is not wrong where what it says is right beside a fault that it may say still', () => {
    const at = { type: 'node', node: 6 } as const;
    const echoes = nodeKinds.icmp.make(layout, at, 0);
    const tunnel = nodeKinds.tunnel.make(layout, at, 0);
    const gets = makeFinding({
      id: 'http-filtered:c/n7',
      kind: 'http-filtered',
      node: 'c/n7',
      plane: 'endpoint',
      direction: 'both',
      protocols: ['http'],
    });
    const wrongRounds = (untilMs: number) =>
      judge((atMs) => (atMs >= endMs && atMs < untilMs ? [gets] : []), {
        ...agentGone,
        faults: [
          { fault: echoes, beginMs, endMs },
          { fault: tunnel, beginMs: endMs, endMs: 50_000 },
        ],
      }).wrongRounds();
    expect(wrongRounds(endMs + 2500)).toHaveLength(0);
    expect(wrongRounds(endMs + 6000)).toHaveLength(1);
  });

  it('is not wrong where it says what failed before, and beside it what fails since', () => {
    const at = { type: 'node', node: 6 } as const;
    const port = nodeKinds.probePort.make(layout, at, 0);
    const requests = nodeKinds.requestsTo.make(layout, at, 0);
    const told = (kind: 'http-filtered' | 'icmp-filtered', direction: 'inbound' | 'outbound') =>
      makeFinding({
        id: `${kind}:c/n7`,
        kind,
        node: 'c/n7',
        direction,
        protocols: [kind === 'http-filtered' ? 'http' : 'icmp'],
      });
    const wrongRounds = (direction: 'inbound' | 'outbound') =>
      judge(
        (atMs) =>
          atMs >= endMs && atMs < 50_000
            ? [told('http-filtered', 'inbound'), told('icmp-filtered', direction)]
            : [],
        {
          ...agentGone,
          faults: [
            { fault: port, beginMs, endMs },
            { fault: requests, beginMs: endMs, endMs: 50_000 },
          ],
        },
      ).wrongRounds();
    expect(wrongRounds('inbound')).toHaveLength(0);
    expect(wrongRounds('outbound')).toHaveLength(1);
  });
});
