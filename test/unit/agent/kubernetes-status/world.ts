import type { ApiWrite } from '../../../../agent/discovery/kubernetes/api-client.js';
import { KubernetesApiError } from '../../../../agent/discovery/kubernetes/kubernetes-api-error.js';
import type { ListedNodes } from '../../../../agent/discovery/kubernetes/kubernetes-source.js';
import type { NetworkCondition } from '../../../../agent/discovery/kubernetes/network-condition.js';
import type { ProjectedNode } from '../../../../agent/discovery/kubernetes/node-projection.js';
import type { Finding } from '../../../../agent/diagnosis/nouns/finding.js';
import type { OwnNode, Situation } from '../../../../agent/kubernetes-status/situation.js';
import { StatusWriter } from '../../../../agent/kubernetes-status/status-writer.js';
import { Problems } from '../../../../agent/platform/problems.js';
import { FakeClock } from '../probing/fake-clock.js';
import { makeFinding } from '../../../rows/make-finding.js';

/** The name of a node, as Kubernetes knows it. */
export const n = (number: number): string => `n${number}`;

/** A node as Kubernetes lists it, of which nothing special is known. */
export function listedNode(name: string) {
  return {
    name,
    uid: `uid-${name}`,
    addresses: [],
    createdAt: 0,
    deletedAt: undefined,
    notReady: undefined,
    isCordoned: false,
    intentionTaint: undefined,
    zone: undefined,
    labels: undefined,
    isDeselected: false,
    isForeign: false,
    networkCondition: undefined,
  };
}

export function finding(node: number | undefined, more: Partial<Finding> = {}): Finding {
  return makeFinding({
    id: node === undefined ? 'zones:a' : `node:c/${n(node)}`,
    ...(node !== undefined && { node: `c/${n(node)}` }),
    text: `c/n${node ?? 0} is down`,
    next: [`kubectl get node n${node ?? 0} -o wide`],
    ...more,
  });
}

/** What the first of these agents knows, where each hears all others and nothing is found. */
export function situationOf(
  [own = '', ...others]: readonly string[],
  more: Partial<Situation> = {},
): Situation {
  return {
    nowMs: 0,
    wallMs: Date.UTC(2026, 0, 1),
    localName: `c/${own}`,
    isReady: true,
    findings: [],
    nodes: new Map([own, ...others].map((name) => [name, { name: `c/${name}`, phase: 'active' }])),
    listed: undefined,
    others: others.map((name) => ({ name: `c/${name}`, heardMsAgo: 0, isReady: true })),
    freshForMs: 11_000,
    reaches: () => true,
    isReachedByHalf: () => Promise.resolve(false),
    ...more,
  };
}

interface Written {
  readonly by: string;
  readonly atMs: number;
  readonly write: ApiWrite;
  readonly body: Record<string, unknown>;
}

interface Known {
  readonly atMs: number;
  /** How many writes were tried before. */
  readonly asked: number;
  readonly nodes: ReadonlyMap<string, OwnNode>;
  readonly listed: ListedNodes['nodes'];
}

interface KeptEvent {
  readonly reason: string;
  readonly note: string;
  series?: { readonly count: number; readonly lastObservedTime: string };
  readonly [more: string]: unknown;
}

/** One agent of the world. What it believes, a test may change. */
export class WorldAgent {
  readonly problems = new Problems();
  readonly warnings: string[] = [];
  findings: Finding[] = [];
  isReady = true;
  isAlive = true;
  /** Whether the API server answers this agent. */
  isServed = true;
  /** Nodes that it does not reach. */
  readonly failing = new Set<string>();
  writer: StatusWriter | undefined;

  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Agents with real writers, their mesh and their API server, on a clock that a test advances. */
export class World {
  readonly clock = new FakeClock();
  readonly agents: WorldAgent[];
  readonly conditions = new Map<string, NetworkCondition & { readonly message: string }>();
  readonly events = new Map<string, KeptEvent>();
  /** All that the API server took. */
  readonly written: Written[] = [];
  /** All that it was asked for. */
  readonly asked: Written[] = [];
  /** When nodes were made, and as which: others were there before, with a uid of their name. */
  readonly made = new Map<string, { readonly uid: string; readonly createdAt: number }>();
  readonly phases = new Map<string, OwnNode['phase']>();
  /** The status with which the API server refuses a write. */
  refuses: (write: ApiWrite) => number | undefined = () => undefined;
  /** Nodes that at least half of the agents reach, and that reach half of them. */
  readonly reached = new Set<string>();
  /** Nodes without an agent. */
  readonly further: string[] = [];
  /** Which agents hear each other. */
  hears: (a: WorldAgent, b: WorldAgent) => boolean = () => true;
  readonly #heardMs = new Map<string, number>();
  #lastKnown: Known | undefined;

  constructor(size: number, { conditions = true, events = true } = {}) {
    this.agents = Array.from({ length: size }, (_, index) => new WorldAgent(n(index + 1)));
    for (const agent of this.agents) {
      agent.writer = new StatusWriter({
        client: { write: (write) => this.#take(agent, write), close: () => undefined },
        clock: this.clock,
        logger: {
          info: () => undefined,
          warn: (text: string) => void agent.warnings.push(text),
        },
        problems: agent.problems,
        writesConditions: conditions,
        writesEvents: events,
        situation: () => this.#situationOf(agent),
      });
    }
    this.#exchange();
  }

  agent(number: number): WorldAgent {
    const found = this.agents[number - 1];
    if (!found) throw new RangeError(`no agent ${number}`);
    return found;
  }

  get living(): WorldAgent[] {
    return this.agents.filter(({ isAlive }) => isAlive);
  }

  /** All living agents hold these findings, which began now. */
  find(...findings: Finding[]): void {
    const since = this.now();
    for (const agent of this.living) agent.findings = findings.map((one) => ({ ...one, since }));
  }

  now(): string {
    return new Date(this.clock.wallMs()).toISOString();
  }

  kill(agent: WorldAgent): void {
    agent.isAlive = false;
    agent.writer?.stop();
  }

  /** A node dies, and all others find it. */
  dies(number: number): void {
    this.kill(this.agent(number));
    this.find(finding(number));
    for (const agent of this.living) agent.failing.add(n(number));
  }

  end(): void {
    for (const agent of this.agents) agent.writer?.stop();
  }

  /** Who wrote, in the order of their writes. */
  get writers(): string[] {
    return this.written.map(({ by }) => by);
  }

  #situationOf(agent: WorldAgent) {
    const nowMs = this.clock.nowMs();
    const others = this.agents.filter((other) => other !== agent);
    return {
      nowMs,
      wallMs: this.clock.wallMs(),
      localName: `c/${agent.name}`,
      isReady: agent.isReady,
      findings: agent.findings.map((one) => ({
        finding: one,
        nodes: new Set([one.node ?? [], one.examples ?? []].flat().map((name) => name.slice(2))),
      })),
      nodes: this.#known().nodes,
      listed: { nodes: this.#known().listed, isCurrent: agent.isServed },
      others: others.map((other) => ({
        name: `c/${other.name}`,
        heardMsAgo: nowMs - (this.#heardMs.get(`${agent.name} ${other.name}`) ?? -Infinity),
        isReady: other.isReady,
      })),
      freshForMs: 11_000,
      reaches: (name: string) => !agent.failing.has(name.slice(2)),
      isReachedByHalf: (name: string) => Promise.resolve(this.reached.has(name)),
    };
  }

  /** What all agents know that look in the same moment, until one of them writes. */
  #known(): Known {
    const [atMs, asked] = [this.clock.nowMs(), this.asked.length];
    if (this.#lastKnown?.atMs === atMs && this.#lastKnown.asked === asked) return this.#lastKnown;
    const names = [...this.agents.map(({ name }) => name), ...this.further];
    const nodes = new Map<string, OwnNode>();
    const listed = new Map<string, ProjectedNode>();
    for (const name of names) {
      nodes.set(name, { name: `c/${name}`, phase: this.phases.get(name) ?? 'active' });
      const networkCondition = this.conditions.get(name);
      listed.set(name, { ...listedNode(name), ...this.made.get(name), networkCondition });
    }
    return (this.#lastKnown = { atMs, asked, nodes, listed });
  }

  /** Each agent is heard by those that hear it once in five seconds, at another time. */
  #exchange(): void {
    const turn = Math.round(this.clock.nowMs() / 1000);
    this.agents.forEach((a, from) =>
      this.agents.forEach((b, to) => {
        const isTurn = this.clock.nowMs() <= 1000 || (from + to + turn) % 5 === 0;
        if (isTurn && a.isAlive && b.isAlive && this.hears(a, b))
          this.#heardMs.set(`${a.name} ${b.name}`, this.clock.nowMs());
      }),
    );
    this.clock.after(1000, () => this.#exchange());
  }

  #take(agent: WorldAgent, write: ApiWrite): Promise<string> {
    const body = JSON.parse(write.body) as Record<string, unknown>;
    const entry = { by: agent.name, atMs: this.clock.nowMs(), write, body };
    this.asked.push(entry);
    if (!agent.isServed) return Promise.reject(new Error('connect ECONNREFUSED'));
    const refused = this.refuses(write) ?? this.#apply(write, body);
    if (refused !== undefined)
      return Promise.reject(new KubernetesApiError(`HTTP ${refused}: refused`, refused));
    // A patch that changes nothing is a question.
    if (write.body !== '{}') this.written.push(entry);
    const event = this.events.get(/\/events\/([^?]+)/.exec(write.path)?.[1] ?? '');
    return Promise.resolve(JSON.stringify(event ?? {}));
  }

  #apply({ method, path }: ApiWrite, body: Record<string, unknown>): number | undefined {
    const node = /^\/api\/v1\/nodes\/([^/]+)\/status\?/.exec(path)?.[1];
    if (node !== undefined) {
      const { conditions } = body['status'] as {
        conditions: (NetworkCondition & { message: string; lastTransitionTime: string })[];
      };
      for (const { status, reason, message, lastTransitionTime } of conditions)
        this.conditions.set(node, {
          status,
          reason,
          message,
          sinceAt: Date.parse(lastTransitionTime),
        });
      return undefined;
    }
    if (method === 'POST') {
      const { name } = body['metadata'] as { name: string };
      if (this.events.has(name)) return 409;
      this.events.set(name, body as unknown as KeptEvent);
      return undefined;
    }
    const name = /\/events\/([^?]+)/.exec(path)?.[1] ?? '';
    const event = this.events.get(name);
    if (!event) return 404;
    if (body['series'] !== undefined)
      event.series = body['series'] as NonNullable<typeof event.series>;
    return undefined;
  }
}
