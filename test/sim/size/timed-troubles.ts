import { overMs, type RoundPlan } from '../timeline/round-plan.js';
import type { Trouble } from '../diagnosis/network.js';

/** A trouble, and from when to when it lasts, in milliseconds from the start. */
export interface TimedTrouble {
  readonly trouble: Trouble;
  readonly beginMs: number;
  readonly endMs: number;
}

/** All troubles of a round: its faults, nodes whose agent starts after them, and agents that are restarted. */
export function timedTroubles({ faults, restarts }: RoundPlan): TimedTrouble[] {
  const timed = new Map<Trouble, TimedTrouble>();
  for (const planned of faults) {
    const { fault, beginMs, endMs } = planned;
    const { trouble, nodes } = fault;
    // Several faults may share one trouble.
    if (!timed.has(trouble)) timed.set(trouble, { trouble, beginMs, endMs });
    const booting = nodes.filter((node) => trouble.isOff?.(node) === true);
    if (booting.length === 0) continue;
    const boot = { beginMs: endMs, endMs: overMs(planned) };
    const closed = agentsGone(booting);
    timed.set(closed, { trouble: closed, ...boot });
  }
  for (const { node, atMs, awayMs } of restarts) {
    const trouble = agentsGone([node]);
    timed.set(trouble, { trouble, beginMs: atMs, endMs: atMs + awayMs });
  }
  return [...timed.values()];
}

/** No agent runs on these nodes: their port is closed. */
function agentsGone(nodes: readonly number[]): Trouble {
  const gone = new Set(nodes);
  return {
    touches: (a, b) => gone.has(a) || gone.has(b),
    nodes,
    server: (node, plane) => (plane === 'host' && gone.has(node) ? 'closed' : 'answers'),
  };
}
