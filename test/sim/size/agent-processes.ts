import { agentState } from '../../faults/trouble.js';
import { overMs, type RoundPlan } from '../timeline/round-plan.js';

/** One process of an agent. Times are milliseconds from the start; the first of a node began long before. */
export interface AgentProcess {
  readonly startMs: number;
  readonly endMs: number;
}

/** A time in which a process stood still. */
interface Pause {
  readonly beginMs: number;
  readonly endMs: number;
}

/** When the agent of each node runs. */
export class AgentProcesses {
  readonly #away = new Map<number, Pause[]>();
  readonly #paused = new Map<number, Pause[]>();

  constructor({ faults, restarts }: RoundPlan) {
    for (const planned of faults) {
      const { fault, beginMs, endMs } = planned;
      for (const node of fault.nodes) {
        const state = agentState(fault.trouble, node);
        if (state === 'gone') add(this.#away, node, { beginMs, endMs: overMs(planned) });
        if (state === 'frozen') add(this.#paused, node, { beginMs, endMs });
      }
    }
    for (const { node, atMs, awayMs } of restarts)
      add(this.#away, node, { beginMs: atMs, endMs: atMs + awayMs });
    for (const pauses of this.#away.values()) pauses.sort((a, b) => a.beginMs - b.beginMs);
  }

  /** The nodes whose agent does not run all the time. */
  get changing(): Iterable<number> {
    return this.#away.keys();
  }

  /** The process of a node's agent at a time; undefined while none runs. */
  at(node: number, atMs: number): AgentProcess | undefined {
    let startMs = -Infinity;
    for (const { beginMs, endMs } of this.#away.get(node) ?? []) {
      if (atMs < beginMs) return { startMs, endMs: beginMs };
      if (atMs < endMs) return undefined;
      startMs = endMs;
    }
    return { startMs, endMs: Infinity };
  }

  /** When a process that stands still at that time goes on; the same time where it does not. */
  goesOnMs(node: number, atMs: number): number {
    const pauses = this.#paused.get(node) ?? [];
    return pauses.find(({ beginMs, endMs }) => beginMs <= atMs && atMs < endMs)?.endMs ?? atMs;
  }

  /** When it stood still last, until a time; -Infinity if it never did. */
  pausedUntilMs(node: number, untilMs: number): number {
    const pauses = this.#paused.get(node) ?? [];
    const before = pauses.filter(({ beginMs }) => beginMs <= untilMs);
    return Math.max(-Infinity, ...before.map(({ endMs }) => endMs));
  }

  /** Whether the process stood still within the last so many milliseconds. */
  wasPaused(node: number, atMs: number, lastMs: number): boolean {
    const pauses = this.#paused.get(node) ?? [];
    return pauses.some(({ beginMs, endMs }) => beginMs <= atMs && endMs > atMs - lastMs);
  }
}

function add(map: Map<number, Pause[]>, node: number, pause: Pause): void {
  const known = map.get(node) ?? [];
  known.push(pause);
  map.set(node, known);
}
