import { channels } from '../../../agent/model/channel.js';
import type { FailureKind } from '../../../agent/model/failure.js';
import type { Layout } from '../../faults/fault.js';
import { probe, type Trouble } from '../../faults/trouble.js';
import { nodeClasses, type NodeClasses } from './node-classes.js';
import type { TimedTrouble } from './timed-troubles.js';

/** From a time on, a path fails in this way, or works. Times are milliseconds from the start. */
export interface PathChange {
  readonly atMs: number;
  readonly failure: FailureKind | undefined;
  /** It fails and worked before, or the other way round. */
  readonly isTurn: boolean;
}

/** What becomes of the paths from one class of nodes to another: by channel its changes, in their order. */
export type ChannelChanges = readonly (readonly PathChange[])[];

const noChanges: ChannelChanges = channels.map(() => []);

/** When each path of a round fails and works again, in truth. Nodes of one class share what is so. */
export class PathChanges {
  readonly classes: NodeClasses;
  /** When a trouble begins or ends, ascending. */
  readonly atMs: readonly number[];
  readonly #troubles: readonly TimedTrouble[];
  readonly #lasting = new Map<number, readonly Trouble[]>();
  readonly #between = new Map<number, ChannelChanges>();
  readonly #touched = new Map<number, readonly number[]>();

  constructor(layout: Layout, troubles: readonly TimedTrouble[]) {
    this.#troubles = troubles;
    this.classes = nodeClasses(layout, troubles);
    const times = troubles.flatMap(({ beginMs, endMs }) => [beginMs, endMs]);
    this.atMs = [...new Set(times)].sort((a, b) => a - b);
  }

  /** How a probe fails that is sent then; undefined if it is answered. */
  failure(from: number, to: number, channel: number, atMs: number): FailureKind | undefined {
    if (from === to) return undefined;
    return failureAt(this.between(this.#classOf(from), this.#classOf(to))[channel] ?? [], atMs);
  }

  /** The changes of the paths from one class to another. */
  between(from: number, to: number): ChannelChanges {
    const { members } = this.classes;
    const key = from * members.length + to;
    let changes = this.#between.get(key);
    if (!changes) {
      const a = members[from]?.[0];
      const b = members[to]?.find((node) => node !== a);
      changes = a === undefined || b === undefined ? noChanges : this.#changes(a, b);
      this.#between.set(key, changes);
    }
    return changes;
  }

  /** The classes to which some path from a class changes. */
  touchedFrom(from: number): readonly number[] {
    let touched = this.#touched.get(from);
    if (!touched) {
      const all = [...this.classes.members.keys()];
      touched = all.filter((to) => this.between(from, to).some((changes) => changes.length > 0));
      this.#touched.set(from, touched);
    }
    return touched;
  }

  #classOf(node: number): number {
    return this.classes.classOf[node] ?? 0;
  }

  #changes(a: number, b: number): ChannelChanges {
    return channels.map(({ plane, protocol }) => {
      const changes: PathChange[] = [];
      let before: FailureKind | undefined;
      for (const atMs of this.atMs) {
        const failure = probe(this.#lastingAt(atMs), a, b, plane, protocol);
        const isTurn = (failure === undefined) !== (before === undefined);
        if (failure !== before) changes.push({ atMs, failure, isTurn });
        before = failure;
      }
      return changes;
    });
  }

  #lastingAt(atMs: number): readonly Trouble[] {
    let lasting = this.#lasting.get(atMs);
    if (!lasting) {
      const now = this.#troubles.filter(({ beginMs, endMs }) => beginMs <= atMs && atMs < endMs);
      lasting = now.map(({ trouble }) => trouble);
      this.#lasting.set(atMs, lasting);
    }
    return lasting;
  }
}

/** How a path with these changes fails at a time; undefined if it works. */
export function failureAt(changes: readonly PathChange[], atMs: number): FailureKind | undefined {
  let failure: FailureKind | undefined;
  for (const change of changes) if (change.atMs <= atMs) failure = change.failure;
  return failure;
}
