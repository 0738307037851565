import { channelNumber } from '../../../agent/model/channel.js';
import type { AgentProcesses } from './agent-processes.js';
import { failureAt, type PathChanges } from './path-changes.js';

const getChannel = channelNumber('host', 'http');

/** Which agents hear of each other, and which doubt themselves and tell nothing. */
export class Hearing {
  readonly #changes: PathChanges;
  readonly #processes: AgentProcesses;
  readonly #groups = new Map<number, readonly number[]>();
  readonly #doubts = new Map<string, boolean>();

  constructor(changes: PathChanges, processes: AgentProcesses) {
    this.#changes = changes;
    this.#processes = processes;
  }

  /** The number of the group of agents that reach each other; -1 where none runs on that class of nodes. */
  groupOf(nodeClass: number, atMs: number): number {
    return this.#groupsAt(atMs)[nodeClass] ?? -1;
  }

  /** Whether most paths of a class of nodes fail on a channel: it may be at fault itself. */
  isDoubtful(nodeClass: number, channel: number, atMs: number): boolean {
    const key = `${nodeClass} ${channel} ${atMs}`;
    let doubts = this.#doubts.get(key);
    if (doubts === undefined) {
      const { members } = this.#changes.classes;
      let [failing, all] = [0, 0];
      for (const [to, { length }] of members.entries()) {
        all += length;
        const changes = this.#changes.between(nodeClass, to)[channel] ?? [];
        if (failureAt(changes, atMs) !== undefined) failing += length;
      }
      doubts = 2 * failing > all;
      this.#doubts.set(key, doubts);
    }
    return doubts;
  }

  /** Of a class of nodes, all of whose probes on a channel fail then: since when; undefined where some are answered. */
  unansweredSinceMs(nodeClass: number, channel: number, atMs: number): number | undefined {
    const { members } = this.#changes.classes;
    let sinceMs = -Infinity;
    for (const [to, { length }] of members.entries()) {
      if (length === (to === nodeClass ? 1 : 0)) continue;
      let failing: number | undefined;
      for (const change of this.#changes.between(nodeClass, to)[channel] ?? []) {
        if (change.atMs > atMs) break;
        if (change.isTurn) failing = change.failure === undefined ? undefined : change.atMs;
      }
      if (failing === undefined) return undefined;
      sinceMs = Math.max(sinceMs, failing);
    }
    return sinceMs === -Infinity ? undefined : sinceMs;
  }

  #groupsAt(atMs: number): readonly number[] {
    let groups = this.#groups.get(atMs);
    if (!groups) {
      groups = this.#findGroups(atMs);
      this.#groups.set(atMs, groups);
    }
    return groups;
  }

  #findGroups(atMs: number): number[] {
    const { members } = this.#changes.classes;
    const groups = members.map(() => -1);
    const exchanges = (a: number, b: number) =>
      failureAt(this.#changes.between(a, b)[getChannel] ?? [], atMs) === undefined ||
      failureAt(this.#changes.between(b, a)[getChannel] ?? [], atMs) === undefined;
    for (const first of members.keys()) {
      if (groups[first] !== -1 || !this.#runs(first, atMs)) continue;
      groups[first] = first;
      const open = [first];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        for (const other of members.keys()) {
          if (groups[other] !== -1 || !this.#runs(other, atMs) || !exchanges(next, other)) continue;
          groups[other] = first;
          open.push(other);
        }
      }
    }
    return groups;
  }

  #runs(nodeClass: number, atMs: number): boolean {
    const node = this.#changes.classes.members[nodeClass]?.[0] ?? -1;
    const isPaused = this.#processes.goesOnMs(node, atMs) > atMs;
    return this.#processes.at(node, atMs) !== undefined && !isPaused;
  }
}
