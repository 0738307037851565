import { setTimeout as delay } from 'node:timers/promises';
import type { AgentPart, LeftOutNode } from '../../../api/schema/v1/check.js';
import { countText } from '../../view/age-text.js';
import type { Kubectl } from '../kubectl.js';
import { askAgent } from './agents.js';
import { CannotRun } from './cannot-run.js';
import { coverageOf, type Coverage } from './coverage.js';
import { inTurns } from './in-turns.js';
import {
  nodeStates,
  type EventObject,
  type NodeObject,
  type NodeState,
  type PodObject,
} from './node-states.js';

/** A pod that cannot start may start yet, for so long. */
const stuckForMs = 20_000;
const pollMs = 2000;
const asksAtOnce = 4;

export interface ObserveOptions {
  readonly kubectl: Kubectl;
  readonly namespace: string;
  readonly forMs: number;
  /** Monotonic milliseconds. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
}

/** What came of it. */
export interface Observed {
  readonly nodes: number;
  readonly parts: ReadonlyMap<string, AgentPart>;
  readonly leftOut: readonly (LeftOutNode & { readonly isForeign: boolean })[];
  readonly notProbed: readonly string[];
}

/**
 * Waits until each agent that can take part has probed everything once, lets them go on for a while, and asks
 * them what they found.
 * @throws CannotRun if no node can take part
 */
export async function observe(options: ObserveOptions): Promise<Observed> {
  const { deadlineMs, forMs, tell } = options;
  const stuck = new StuckNodes();
  let untilMs: number | undefined;
  for (;;) {
    const states = await readNodes(options);
    stuck.note(states, performance.now());
    const isOver = performance.now() >= deadlineMs;
    const waiting = states.filter((state) => !isReady(state) && !stuck.isGivenUp(state));
    const running = states.filter(hasAgent);
    if ((waiting.length === 0 || isOver) && running.length === 0)
      throw new CannotRun(whyNone(states));
    if (waiting.length > 0 && !isOver) {
      const [first] = waiting;
      tell(
        `${countText(states.filter(isReady).length, 'node')} of ${states.length} ready; waiting for ${first?.node ?? ''}: ${first?.why ?? ''}`,
      );
    } else {
      const isCovered = await askProgress(options, states);
      const nowMs = performance.now();
      if (!isCovered) untilMs = undefined;
      else untilMs ??= nowMs + forMs;
      if (isOver || (untilMs !== undefined && nowMs >= untilMs)) {
        return askAll(options, states, isOver);
      }
      if (isCovered) {
        tell(`everything was probed once; going on for ${Math.round(forMs / 1000)} s`);
      }
    }
    await delay(pollMs, undefined, { signal: options.signal });
  }
}

/** A node whose pods are stuck is waited for a while. */
class StuckNodes {
  readonly #stuckSinceMs = new Map<string, number>();

  note(states: readonly NodeState[], nowMs: number): void {
    for (const { node, isStuck } of states) {
      if (!isStuck) this.#stuckSinceMs.delete(node);
      else if (!this.#stuckSinceMs.has(node)) this.#stuckSinceMs.set(node, nowMs);
    }
  }

  isGivenUp({ node, isForeign }: NodeState): boolean {
    const sinceMs = this.#stuckSinceMs.get(node);
    return isForeign || (sinceMs !== undefined && performance.now() - sinceMs >= stuckForMs);
  }
}

function isReady({ why }: NodeState): boolean {
  return why === undefined;
}

function hasAgent({ agentPod }: NodeState): boolean {
  return agentPod !== undefined;
}

function whyNone(states: readonly NodeState[]): string {
  const first = states.find(({ isForeign }) => !isForeign) ?? states[0];
  if (!first) return 'the cluster has no node';
  return `no node can take part; ${first.node}: ${first.why ?? ''}`;
}

async function readNodes({ kubectl, namespace }: ObserveOptions): Promise<NodeState[]> {
  const list = async (path: string, what: string): Promise<unknown[]> => {
    const items: unknown[] = [];
    const why = `this user may not list ${what}`;
    for await (const item of kubectl.list(path, {}, why)) items.push(item);
    return items;
  };
  const inNamespace = `/api/v1/namespaces/${namespace}`;
  const nodes = (await list('/api/v1/nodes', 'nodes')) as NodeObject[];
  const pods = (await list(`${inNamespace}/pods`, 'pods')) as PodObject[];
  // Only a pod that is not there has its reason in an Event.
  const isComplete = pods.length >= 2 * nodes.length;
  const events = isComplete
    ? []
    : ((await list(`${inNamespace}/events`, 'events')) as EventObject[]);
  return nodeStates(nodes, pods, events);
}

/** Tells how far the agents are, and whether all have probed everything. */
async function askProgress(
  options: ObserveOptions,
  states: readonly NodeState[],
): Promise<boolean> {
  const agents = states.filter(hasAgent);
  const coverages = await inTurns(agents, asksAtOnce, async ({ agentPod = '' }) => {
    const answer = await askAgent(options.kubectl, options.namespace, agentPod, 'progress');
    return 'part' in answer ? coverageIn(answer.part, states) : undefined;
  });
  const known = coverages.filter((one) => one !== undefined);
  const sum = (field: 'done' | 'of') => known.reduce((all, one) => all + one[field], 0);
  const isCovered =
    known.length === agents.length && known.every(({ missing }) => missing.length === 0);
  if (!isCovered) {
    const first = known.flatMap(({ missing }) => missing)[0];
    const left = first === undefined ? '' : `; not yet ${first}`;
    options.tell(
      `${known.length} of ${countText(agents.length, 'agent')} ${known.length === 1 ? 'answers' : 'answer'}, ${sum('done')} of ${sum('of')} probes done${left}`,
    );
  }
  return isCovered;
}

function coverageIn(part: AgentPart, states: readonly NodeState[]): Coverage {
  const agents = states.filter(hasAgent).length;
  const endpoints = states.filter(({ hasEndpoint }) => hasEndpoint).length;
  return coverageOf(part, agents, endpoints);
}

async function askAll(
  options: ObserveOptions,
  states: readonly NodeState[],
  isOver: boolean,
): Promise<Observed> {
  options.tell('asking all agents what they found');
  const parts = new Map<string, AgentPart>();
  const notProbed: string[] = [];
  const silent = new Map<string, string>();
  const agents = states.filter(hasAgent);
  await inTurns(agents, asksAtOnce, async ({ node, agentPod = '' }) => {
    const answer = await askAgent(options.kubectl, options.namespace, agentPod, 'all');
    if (!('part' in answer)) {
      silent.set(node, `its agent told nothing: ${answer.why}`);
      return;
    }
    parts.set(node, answer.part);
    const { missing } = coverageIn(answer.part, states);
    if (isOver) notProbed.push(...missing.map((what) => `${node} did not probe ${what}`));
  });
  if (parts.size === 0) {
    const [[node, why] = ['', 'no agent runs']] = silent;
    throw new CannotRun(`no agent told anything; ${node}: ${why}`);
  }
  const leftOut = states.flatMap(({ node, why = silent.get(node), isForeign }) =>
    why === undefined ? [] : [{ node, why, isForeign }],
  );
  return { nodes: states.length, parts, leftOut, notProbed: notProbed.toSorted() };
}
