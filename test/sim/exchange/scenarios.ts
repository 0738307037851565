import { maxHintsPerMessage, type Hint } from '../../../agent/exchange/hints/hint.js';
import { MeshKeys } from '../../../agent/exchange/messages/mesh-keys.js';
import { encodeRequest } from '../../../agent/exchange/messages/message.js';
import { channels } from '../../../agent/model/channel.js';
import { planes } from '../../../agent/model/path.js';
import { protocols, type Protocol } from '../../../agent/model/sample.js';
import { nodeKinds } from '../../faults/node-kinds.js';
import { probe, type Trouble } from '../../faults/trouble.js';
import { Simulation, type Change, type SimulationOptions } from '../lib/simulation.js';

/** The result of one run of a scenario. */
export interface Outcome {
  /**
   * The milliseconds from a fault until a state was right. There is one value for each agent, path
   * and protocol.
   */
  readonly detectionMs: Readonly<Record<Protocol, readonly number[]>>;
  /** The errors in words; empty if all is well. */
  readonly wrong: readonly string[];
  /**
   * The most probes that arrived at one living address in any second. Only scenarios with false
   * hints have it.
   */
  readonly busiestSecond?: Readonly<Record<Protocol, number>>;
}

export interface Scenario {
  readonly name: string;
  readonly run: (seed: number, agents: number) => Outcome;
}

/**
 * This time is longer than the longest interval and a confirmation, so all agents know the truth
 * without hints.
 */
const aloneMs = 260_000;
/** By then hints about most of a zone that was cut off go round. */
const spreadMs = 8000;

export const nodeDies = scenario('a node dies', (sim) => {
  const dead = pickNode(sim);
  return judgeEnd(sim, [dead], nodesOff([dead]), ({ node }) => node === dead);
});

/**
 * Thirty percent of the nodes die at once. Detection must not take longer than without hints,
 * except by chance.
 */
const thirdDies: Scenario = {
  name: '30 % of the nodes die at once',
  run(seed, agents) {
    const run = (mesh: boolean) =>
      simulate({ seed, agents, mesh }, (sim) => {
        const dead = sim.agents.map(({ node }) => node).filter((node) => node % 10 < 3);
        return judgeEnd(sim, dead, nodesOff(dead), ({ node }) => dead.includes(node));
      });
    const [withHints, alone] = [run(true), run(false)];
    const later = protocols.filter(
      (protocol) =>
        quantile(withHints.detectionMs[protocol], 0.99) >
        quantile(alone.detectionMs[protocol], 0.99),
    );
    const wrong = later.map((protocol) => `${protocol} is later than without hints`);
    return { ...withHints, wrong: [...withHints.wrong, ...wrong] };
  },
};

/** An agent ends while its host lives. Only GETs can show that, and GETs are delayed at random. */
const agentEnds = scenario('an agent ends, its host lives', (sim) => {
  const ended = pickNode(sim);
  const trouble = troubleOf(sim, nodeKinds.agentGone, ended);
  return judgeEnd(sim, [ended], trouble, ({ node, plane }) => node === ended && plane === 'host');
});

/** A zone is cut off, and then an agent elsewhere ends. What is told of the whole zone must not hold up the hints about that one. */
const besideCutZone = scenario('a zone is cut off, and an agent elsewhere ends', (sim) => {
  const isOff = (node: number) => sim.network.nodes[node]?.zone === sim.network.nodes[0]?.zone;
  const isCut = (from: number, to: number) => isOff(from) !== isOff(to);
  sim.network.begin({ touches: isCut, drops: ({ from, to }) => isCut(from, to) });
  sim.run(spreadMs);
  const { node } = sim.random.pick(sim.agents.filter((agent) => !isOff(agent.node)));
  const isAsked = (change: Change) =>
    change.node === node && change.plane === 'host' && !isOff(change.agent);
  return judgeEnd(sim, [node], troubleOf(sim, nodeKinds.agentGone, node), isAsked);
});

/** The endpoint plane is cut between two halves of the cluster and comes back. */
const halvesCut = scenario('the endpoint plane is cut in halves, and comes back', (sim) => {
  const isCut = (from: number, to: number) => from % 2 !== to % 2;
  const cut: Trouble = {
    touches: isCut,
    drops: ({ from, to, plane }) => plane === 'endpoint' && isCut(from, to),
  };
  const cutMs = sim.clock.nowMs();
  sim.network.begin(cut);
  runUntilRight(sim);
  const broken = judge(sim, () => true, cutMs);
  sim.network.end(cut);
  runUntilRight(sim);
  return { ...broken, wrong: [...broken.wrong, ...judge(sim, () => false, 0).wrong] };
});

/**
 * One agent's packets on the endpoint plane are lost. It sees all paths there fail, and must not
 * alarm the others.
 */
const brokenUplink = scenario('the uplink of one agent breaks on the endpoint plane', (sim) => {
  const node = pickNode(sim);
  sim.network.begin(troubleOf(sim, nodeKinds.tunnel, node));
  sim.run(30_000);
  return judgeLies(sim, node);
});

/** One agent gets no CPU time, so all of its probes fail. */
const starvedAgent = scenario('an agent is starved', (sim) => {
  const node = pickNode(sim);
  sim.agent(node).isStarved = true;
  // Its own probes fail, also those to itself. It still answers others.
  sim.network.begin({
    touches: (from) => from === node,
    drops: ({ from, isNew }) => from === node && isNew,
  });
  sim.run(30_000);
  return judgeLies(sim, node);
});

/**
 * One agent tells all others fifty times a second that living nodes are dead. It claims to have
 * seen that itself.
 */
const lyingAgent = scenario('an agent lies', (sim) => {
  const liar = pickNode(sim);
  const others = sim.agents.filter(({ node }) => node !== liar);
  const accused = others.slice(0, maxHintsPerMessage / 4).map(({ node }) => sim.nameOf(node));
  const lies = accused.flatMap((node) =>
    channels.map((channel): Hint => {
      return { node, ...channel, change: 'failure', ageMs: 0, isWitness: true };
    }),
  );
  const keys = new MeshKeys();
  let turn = 0;
  const lie = (): void => {
    const victim = others[turn++ % others.length];
    if (!victim) return;
    const header = encodeRequest(
      {
        ...{ from: sim.nameOf(liar), to: sim.nameOf(victim.node), nonce: 'simulated-nonce_' },
        ...{ rowTag: undefined, wholeRow: undefined, hints: lies, targetHints: [] },
      },
      keys,
    );
    victim.exchange.answer(header, sim.network.nodes[liar]?.host[0] ?? '');
    sim.clock.after(20, lie);
  };
  lie();
  sim.run(20_000);
  return judgeLies(sim, liar);
});

export const scenarios: readonly Scenario[] = [
  nodeDies,
  thirdDies,
  agentEnds,
  besideCutZone,
  halvesCut,
  brokenUplink,
  starvedAgent,
  lyingAgent,
];

/** The scenarios to run for a seed: the next one in turn, or all whose name contains the text. */
export function scenariosOf(seed: number, text?: string): Scenario[] {
  if (text === undefined) return scenarios.slice(seed % scenarios.length).slice(0, 1);
  return scenarios.filter(({ name }) => name.includes(text));
}

/** The smallest value that this share of all values does not exceed; 0 if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? 0;
}

/** Runs a simulated cluster, and ends it. */
function simulate(options: SimulationOptions, run: (sim: Simulation) => Outcome): Outcome {
  const sim = new Simulation(options);
  const outcome = run(sim);
  sim.stop();
  return outcome;
}

function scenario(name: string, run: (sim: Simulation) => Outcome): Scenario {
  return { name, run: (seed, agents) => simulate({ seed, agents, mesh: true }, run) };
}

function runUntilRight(sim: Simulation): void {
  sim.runUntil(() => wrongStates(sim).length === 0, aloneMs);
}

/** The agents of some nodes end with a trouble; then all states become right. */
function judgeEnd(
  sim: Simulation,
  nodes: readonly number[],
  trouble: Trouble,
  isAsked: (change: Change) => boolean,
): Outcome {
  const endedMs = sim.clock.nowMs();
  sim.endAgents(nodes, trouble);
  runUntilRight(sim);
  return judge(sim, isAsked, endedMs);
}

function pickNode(sim: Simulation): number {
  return sim.random.below(sim.agents.length);
}

/** The trouble of a fault of one node. */
function troubleOf(
  { agents }: Simulation,
  kind: (typeof nodeKinds)[keyof typeof nodeKinds],
  node: number,
): Trouble {
  const layout = { names: agents.map(() => ''), zones: [], zoneOf: [] };
  return kind.make(layout, { type: 'node', node }, 0).trouble;
}

/** All of these nodes are dead. */
export function nodesOff(nodes: readonly number[]): Trouble {
  const dead = new Set(nodes);
  return {
    touches: (from, to) => dead.has(from) || dead.has(to),
    nodes,
    isOff: (node) => dead.has(node),
  };
}

/**
 * Checks what must hold after every run, and collects the detection times that the caller asks for.
 */
function judge(sim: Simulation, isAsked: (change: Change) => boolean, sinceMs: number): Outcome {
  const times = (protocol: Protocol): number[] =>
    sim.changes
      .filter((change) => change.protocol === protocol && change.state === 'unreachable')
      .filter(isAsked)
      .map(({ atMs }) => atMs - sinceMs);
  return {
    detectionMs: { icmp: times('icmp'), http: times('http') },
    wrong: [...wrongStates(sim), ...changesWithoutSample(sim)],
  };
}

/**
 * Checks that no honest agent sees a living node as unreachable, and measures the most probes at
 * one address.
 */
function judgeLies(sim: Simulation, liar: number): Outcome {
  const raised = sim.changes.filter(
    ({ agent, node, state }) => agent !== liar && node !== liar && state === 'unreachable',
  );
  const busiest = (protocol: Protocol): number =>
    Math.max(
      ...sim.agents
        .filter(({ node }) => node !== liar)
        .flatMap(({ node }) => planes.map((plane) => sim.busiestSecond(node, plane, protocol))),
    );
  const busiestSecond = { icmp: busiest('icmp'), http: busiest('http') };
  return {
    detectionMs: { icmp: [], http: [] },
    busiestSecond,
    wrong: [
      ...raised.map(
        ({ agent, node, protocol }) =>
          `${sim.nameOf(agent)} sees ${sim.nameOf(node)} dead by ${protocol}`,
      ),
      ...changesWithoutSample(sim),
    ],
  };
}

function changesWithoutSample(sim: Simulation): string[] {
  return sim.agents
    .filter(({ transitionsWithoutSample }) => transitionsWithoutSample > 0)
    .map(({ node }) => `a state of ${sim.nameOf(node)} changed without a sample`);
}

/** The states of agents that run which differ from the real network. */
function wrongStates(sim: Simulation): string[] {
  const wrong: string[] = [];
  const { network } = sim;
  for (const agent of sim.running) {
    agent.store.paths.visitPrimaryPaths((path, protocol, { state }) => {
      const to = network.numberOf(path);
      const failure = probe(network.troubles, agent.node, to, path.plane, protocol);
      const expected = failure === undefined ? 'reachable' : 'unreachable';
      if (state !== expected) {
        const from = sim.nameOf(agent.node);
        wrong.push(`${from} sees ${path.node} ${path.plane} ${protocol} ${state}`);
      }
    });
  }
  return wrong;
}
