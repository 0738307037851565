import { overMs, type RoundPlan } from '../timeline/round-plan.js';
import type { Trouble } from '../../faults/trouble.js';

/** A trouble, and from when to when it lasts, in milliseconds from the start. */
export interface TimedTrouble {
  readonly trouble: Trouble;
  readonly beginMs: number;
  readonly endMs: number;
}

/** All troubles of a round: its faults, nodes whose agent starts after them, and agents that are restarted. */
export function timedTroubles({ faults, restarts }: RoundPlan): TimedTrouble[] {
  const timed = new Map<Trouble, TimedTrouble>();
  const booting = new Map<number, { readonly nodes: number[]; readonly readyMs: number }>();
  for (const planned of faults) {
    const { fault, beginMs, endMs } = planned;
    const { trouble, nodes } = fault;
    // Several faults may share one trouble.
    if (!timed.has(trouble)) timed.set(trouble, { trouble, beginMs, endMs });
    const off = nodes.filter((node) => trouble.isOff?.(node) === true);
    const boot = booting.get(endMs) ?? { nodes: [], readyMs: overMs(planned) };
    boot.nodes.push(...off);
    if (off.length > 0) booting.set(endMs, boot);
  }
  for (const [beginMs, { nodes, readyMs: endMs }] of booting) {
    const trouble = agentsGone(nodes);
    timed.set(trouble, { trouble, beginMs, endMs });
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
