import { refutationOf, type RowRefutation } from '../../../agent/model/refutation.js';
import type { AgentProcesses } from './agent-processes.js';
import { failureAt, type PathChanges } from './path-changes.js';
import type { ProbeTimes } from './probe-times.js';

/** The GETs by which agents that no GET reaches let themselves be heard. Times are milliseconds from the start. */
export class Refutations {
  /** What the row of each agent says of it. */
  readonly told: RowRefutation | undefined;
  readonly #changes: PathChanges;
  readonly #processes: AgentProcesses;
  readonly #probes: ProbeTimes;
  readonly #times = new Map<number, readonly (readonly [beginMs: number, endMs: number])[]>();

  constructor(changes: PathChanges, processes: AgentProcesses, probes: ProbeTimes) {
    this.told = refutationOf(probes.httpIntervalMs, probes.nodes - 1);
    this.#changes = changes;
    this.#processes = processes;
    this.#probes = probes;
  }

  /** When an agent sends one to another, in this order. */
  getsMs(from: number, to: number): number[] {
    const { told } = this;
    if (!told || from === to) return [];
    const peers = this.#probes.nodes - 1;
    const turnMs = 1000 / told.perSecond;
    const firstMs = Math.floor(this.#probes.share(from, to, refutePurpose) * peers) * turnMs;
    return this.#timesOf(from).flatMap(([beginMs, endMs]) => {
      const gets: number[] = [];
      for (let ms = beginMs + firstMs; ms < endMs; ms += peers * turnMs) gets.push(ms);
      return gets;
    });
  }

  /** From when to when an agent refutes. */
  #timesOf(node: number): readonly (readonly [beginMs: number, endMs: number])[] {
    let times = this.#times.get(node);
    if (!times) {
      times = this.#findTimes(node);
      this.#times.set(node, times);
    }
    return times;
  }

  #findTimes(node: number): (readonly [beginMs: number, endMs: number])[] {
    const { told } = this;
    if (!told) return [];
    const { atMs } = this.#changes;
    const times: (readonly [number, number])[] = [];
    let wasReached = true;
    for (const [at, changeMs] of atMs.entries()) {
      const isReached = this.#isReached(node, changeMs);
      if (wasReached && !isReached) {
        const beginMs = changeMs + told.afterMs;
        const backMs = atMs.slice(at + 1).find((ms) => this.#isReached(node, ms)) ?? Infinity;
        const endMs = Math.min(beginMs + told.forMs, backMs);
        const process = this.#processes.at(node, changeMs);
        if (process && process.startMs < changeMs && beginMs < endMs) times.push([beginMs, endMs]);
      }
      wasReached = isReached;
    }
    return times;
  }

  /** Whether the GETs of two peers at least reach it. */
  #isReached(node: number, atMs: number): boolean {
    const { classOf, members } = this.#changes.classes;
    const to = classOf[node] ?? 0;
    let reaching = 0;
    for (const [from, { length }] of members.entries()) {
      if (failureAt(this.#changes.between(from, to)[getChannel] ?? [], atMs) !== undefined)
        continue;
      reaching += from === to ? length - 1 : length;
    }
    return reaching > 1;
  }
}

/** Of the plane of hosts. */
const getChannel = 1;
const refutePurpose = 88;
