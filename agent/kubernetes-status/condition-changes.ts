import type { NetworkCondition } from '../discovery/kubernetes/network-condition.js';
import type { Situation } from './situation.js';

/** Nodes that turn False more than once within this time flap. */
export const flapWindowMs = 1_800_000;

/** The conditions as the watch shows them: what was written meanwhile, and how often a node turned False. */
export class ConditionChanges {
  #seen: ReadonlyMap<string, NetworkCondition> | undefined;
  #wasCurrent = false;
  /** When each node turned False, whoever wrote that. */
  readonly #falls = new Map<string, readonly number[]>();

  /** The conditions that have changed since the last time. After an outage it is not known when, and none is told. */
  note({ nowMs, listed }: Situation): readonly [name: string, has: NetworkCondition][] {
    if (listed === undefined) return [];
    const seen = new Map<string, NetworkCondition>();
    for (const [name, { networkCondition: has }] of listed.nodes) if (has) seen.set(name, has);
    const before = this.#wasCurrent && listed.isCurrent ? this.#seen : undefined;
    this.#seen = seen;
    this.#wasCurrent = listed.isCurrent;
    const changed = [...seen].filter(([name, has]) => before && !isSame(before.get(name), has));
    for (const [name, has] of changed) {
      if (has.status !== 'False' || isSameTime(before?.get(name), has)) continue;
      this.#falls.set(name, [...this.#fallsOf(name, nowMs), nowMs]);
    }
    for (const name of this.#falls.keys()) {
      if (this.#fallsOf(name, nowMs).length === 0) this.#falls.delete(name);
    }
    return changed;
  }

  /** How often a node turned False within half an hour. */
  falls(name: string, nowMs: number): number {
    return this.#fallsOf(name, nowMs).length;
  }

  #fallsOf(name: string, nowMs: number): readonly number[] {
    return (this.#falls.get(name) ?? []).filter((atMs) => nowMs - atMs < flapWindowMs);
  }
}

function isSame(before: NetworkCondition | undefined, has: NetworkCondition): boolean {
  return isSameTime(before, has) && before?.reason === has.reason;
}

/** Another time says that it was something else in between. */
function isSameTime(before: NetworkCondition | undefined, has: NetworkCondition): boolean {
  return before?.status === has.status && before.sinceAt === has.sinceAt;
}
