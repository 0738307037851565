import type { Plane } from '../../../agent/model/path.js';
import type { Target } from '../../../agent/model/target.js';
import { NewsSpreader } from '../../../agent/exchange/hints/news-spreader.js';
import { TargetRumours } from '../../../agent/exchange/hints/target-rumours.js';
import { ProbeHistory } from '../../../agent/results/probe-history.js';
import type { TargetProber } from '../../../agent/targets/probers/target-prober.js';
import {
  areFew,
  besideDelaysMs,
  hintSpreadMs,
  type TargetLoad,
} from '../../../agent/targets/target-plan.js';
import { WatchedTarget } from '../../../agent/targets/watched-target.js';
import { Random } from '../../fuzz/random.js';
import { VirtualClock } from '../lib/virtual-clock.js';
import { createTargetProber } from '../lib/target-prober.js';

export interface TargetClusterOptions {
  readonly seed: number;
  readonly nodes: number;
  readonly budgetPerSecond: number;
  readonly target: Target;
}

/** How the target answers: at once, with a refusal at once, or not at all. */
export type Answering = 'replies' | 'refuses' | 'is silent';

/** Rows of so many observers that cannot reach it convince an agent. */
const convincing = 3;

/** Between two GETs from one agent to another where there are few of them, and of all GETs of an agent. */
const httpIntervalMs = 5000;
const hostGetsPerSecond = 20;

interface SimNode {
  readonly index: number;
  readonly name: string;
  readonly watched: Readonly<Partial<Record<Plane, WatchedTarget>>>;
  readonly rumours: TargetRumours;
  readonly spreader: NewsSpreader;
  /** The planes whose verdict is that nobody reaches it, by the rows that this agent has: node and plane. */
  readonly failing: Set<string>;
}

/**
 * All agents and endpoints of a cluster, with the real schedule, states and hints, and one target. Between the
 * agents there is no network: their GETs arrive after a millisecond, and carry what they would carry.
 */
export class TargetCluster {
  readonly clock = new VirtualClock();
  /** When each probe was sent. */
  readonly sentMs: number[] = [];
  answering: Answering = 'replies';
  /** Of a DNS target: when each server was asked, by its number, and the servers that are silent. */
  readonly askedMs: number[][] = [];
  readonly silentServers = new Set<number>();
  /** When each plane of each node changed its state to unreachable or reachable. */
  readonly changes: { readonly atMs: number; readonly state: string }[] = [];
  /** When each agent was convinced by rows, or by its own probes. */
  readonly convincedMs = new Map<number, number>();
  looks = 0;
  gets = 0;
  readonly #random: Random;
  readonly #nodes: SimNode[] = [];
  readonly #options: TargetClusterOptions;
  readonly #load: TargetLoad;
  #hasSteadyGets = false;

  constructor(options: TargetClusterOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#load = { nodes: options.nodes, budgetPerSecond: options.budgetPerSecond };
    const history = new ProbeHistory();
    for (let index = 0; index < options.nodes; index++)
      this.#nodes.push(this.#create(index, history));
  }

  /** Starts the probing of all agents and endpoints at the same moment. */
  async start(): Promise<void> {
    for (const { watched } of this.#nodes) {
      for (const one of Object.values(watched)) one.begin(() => Promise.resolve(this.#prober()));
    }
    // The probers are there in a later turn.
    await new Promise(setImmediate);
  }

  run(ms: number): void {
    this.clock.runUntil(this.clock.nowMs() + ms);
  }

  /**
   * The GETs between agents go on for a time. They are too many to simulate for as long as it takes until every
   * agent has looked, and after half a minute the news is everywhere.
   */
  exchangeFor(ms: number): void {
    const { nodes } = this.#options;
    const intervalMs = Math.max(httpIntervalMs, (nodes / hostGetsPerSecond) * 1000);
    const spacingMs = intervalMs / Math.max(nodes - 1, 1);
    this.#hasSteadyGets = true;
    for (const node of this.#nodes) {
      const ask = (): void => {
        if (!this.#hasSteadyGets) return;
        const peer = this.#otherThan(node);
        if (peer) this.#get(node, peer);
        this.clock.after(spacingMs, ask);
      };
      this.clock.after(this.#random.next() * spacingMs, ask);
    }
    this.run(ms);
    this.#hasSteadyGets = false;
  }

  /** Forgets what was counted. */
  reset(): void {
    this.sentMs.length = 0;
    this.askedMs.length = 0;
    this.changes.length = 0;
    this.convincedMs.clear();
    for (const { failing } of this.#nodes) failing.clear();
    this.looks = 0;
    this.gets = 0;
  }

  #create(index: number, history: ProbeHistory): SimNode {
    const { target, nodes } = this.#options;
    const name = `c/n${index}`;
    const { clock } = this;
    const random = (): number => this.#random.next();
    const watch = (plane: Plane): WatchedTarget =>
      new WatchedTarget({
        target,
        plane,
        node: () => name,
        clock,
        random,
        history,
        load: () => this.#load,
        onTransition: ({ before, after }) => {
          if (before.state === 'unknown' && after.state === 'reachable') return;
          this.changes.push({ atMs: clock.nowMs(), state: after.state });
          this.#learn(node, node);
          const change = after.state === 'unreachable' ? 'failure' : 'recovery';
          const { digest } = target;
          // An agent hears of its endpoint with the next GET to it, two seconds later at the most.
          clock.after(plane === 'host' ? 0 : 2000 * random(), () => {
            this.#probeBeside(node, plane, change);
            if (node.rumours.rumours.witness({ target: target.name, digest, plane }, change)) {
              node.spreader.start();
            }
          });
        },
        onServer: ({ server, change }) => {
          const subject = { target: target.name, digest: target.digest, plane, server };
          clock.after(plane === 'host' ? 0 : 2000 * random(), () => {
            if (node.rumours.rumours.witness(subject, change)) node.spreader.start();
          });
        },
      });
    const watched = Object.fromEntries(target.from.map((plane) => [plane, watch(plane)]));
    const rumours = new TargetRumours({
      localName: name,
      clock,
      random,
      nodes: () => nodes,
      isListed: () => true,
      probing: {
        isKnown: () => true,
        activity: ({ plane, server }) => {
          const isAsked = (plane === 'host' && server === undefined) || areFew(this.#load);
          const one = isAsked ? node.watched[plane] : undefined;
          return one && { state: one.results.state.state, sentMs: one.sentMs };
        },
        probeSoon: ({ plane }) => {
          this.looks++;
          node.watched[plane]?.probeSoon();
        },
        spreadMs: (_, change) => hintSpreadMs(target, this.#load, change),
      },
      askWitness: (witness) => {
        const peer = this.#nodes[Number(witness.slice('c/n'.length))];
        if (peer) this.#get(node, peer);
      },
      askForRows: () => undefined,
      onUse: () => undefined,
    });
    const spreader = new NewsSpreader({
      clock,
      nextPeer: () => {
        if (!rumours.rumours.hasNews()) return undefined;
        for (let tries = 0; tries < 16; tries++) {
          const peer = this.#otherThan(node);
          if (peer && rumours.rumours.hasNewsFor(peer.name)) return peer.name;
        }
        return undefined;
      },
      bringForward: (peerName) => {
        if (!this.#hasSteadyGets) return;
        const peer = this.#nodes[Number(peerName.slice('c/n'.length))];
        if (peer) this.#get(node, peer);
      },
    });
    const node: SimNode = { index, name, watched, rumours, spreader, failing: new Set() };
    return node;
  }

  /** A node that sees a change looks from its other plane too, now and a little later, as `TargetPlanes` does. */
  #probeBeside(node: SimNode, plane: Plane, change: 'failure' | 'recovery'): void {
    const { name: target, digest } = this.#options.target;
    const other = node.watched[plane === 'host' ? 'endpoint' : 'host'];
    const verdict = change === 'failure' ? 'unreachable' : 'reachable';
    const probeSoon = (): void => {
      // After the GETs have ended here, hints would still go on.
      const isSeen =
        !this.#hasSteadyGets || node.rumours.isSeenByOthers({ target, digest, plane }, change);
      if (isSeen && !areFew(this.#load)) return;
      if (other?.results.state.state !== verdict) other?.probeSoon();
    };
    for (const delayMs of besideDelaysMs(this.#load, () => this.#random.next())) {
      if (delayMs === 0) probeSoon();
      else this.clock.after(delayMs, probeSoon);
    }
  }

  /** One GET: hints both ways, and the row of the peer with the answer. */
  #get(from: SimNode, to: SimNode): void {
    const { clock } = this;
    this.gets++;
    const hints = from.rumours.rumours.take(to.name);
    clock.after(1, () => {
      if (to.rumours.hear(hints, from.name)) to.spreader.start();
      const answer = to.rumours.rumours.take(from.name);
      clock.after(1, () => {
        this.#learn(from, to);
        if (from.rumours.hear(answer, to.name)) from.spreader.start();
      });
    });
  }

  /** An agent reads the row of another, or its own. */
  #learn(reader: SimNode, of: SimNode): void {
    const state = of.watched.host?.results.state.state;
    if (state === 'unreachable') reader.failing.add(of.name);
    else reader.failing.delete(of.name);
    if (reader.failing.size < convincing || this.convincedMs.has(reader.index)) return;
    this.convincedMs.set(reader.index, this.clock.nowMs());
  }

  #otherThan(node: SimNode): SimNode | undefined {
    const { nodes } = this.#options;
    if (nodes < 2) return undefined;
    const index = this.#random.below(nodes - 1);
    return this.#nodes[index < node.index ? index : index + 1];
  }

  #prober(): TargetProber {
    const { clock } = this;
    return createTargetProber(this.#options.target, {
      clock,
      isLost: (server) => {
        if (server === undefined) this.sentMs.push(clock.nowMs());
        else (this.askedMs[server] ??= []).push(clock.nowMs());
        const { answering } = this;
        if (server === undefined) return answering === 'is silent';
        return answering !== 'replies' || this.silentServers.has(server);
      },
      isRefused: () => this.answering === 'refuses',
      rttMs: () => 2,
      wasPaused: () => false,
    });
  }
}
