import { getOrInsert } from '../../../agent/diagnosis/nouns/get-or-insert.js';
import { channels } from '../../../agent/model/channel.js';
import type { FailureKind } from '../../../agent/model/failure.js';
import { confirmationGapMs } from '../../../agent/probing/schedule/plan.js';
import type { AgentProcess } from './agent-processes.js';
import { waitForTurns, type QueuedLooks } from './look-queue.js';
import { lossyTurns } from './lossy-paths.js';
import { lookBeside } from './own-looks.js';
import { failureAt, type ChannelChanges, type PathChange } from './path-changes.js';
import type { SizeWorld } from './size-world.js';

/** From a time on an agent says this of a path. Times are milliseconds from the start. */
export interface PathTurn {
  readonly atMs: number;
  readonly state: 'reachable' | 'unreachable' | 'lossy' | 'unknown';
  /** Since when it is in that state: before `atMs` where the path fails in another way than before. */
  readonly sinceMs?: number;
  readonly failure: FailureKind | undefined;
  /** When the change in truth came. */
  readonly causeMs: number;
  /** Of a lossy path: when its probes were lost. */
  readonly lostMs?: readonly number[];
}

/** What changes at one time, by channel. */
type Round = readonly (PathChange | undefined)[];

/** The paths to a class of nodes. */
interface Paths {
  readonly targets: readonly number[];
  readonly rounds: readonly Round[];
  /** Where their looks stand: by target, round and channel. */
  readonly at: number;
}

const count = channels.length;

/**
 * What one process of an agent comes to say of each path that changes: when it looks because of its own round, a hint, or
 * another path of that node, and confirms it. Where many change at once, its probes wait in their queues. Millions of
 * paths may change, so only the times of the looks are kept.
 */
export class ObservedPaths {
  readonly #world: SizeWorld;
  readonly #observer: number;
  readonly #process: AgentProcess;
  /** By the class of the target. */
  readonly #paths = new Map<number, Paths>();
  readonly #lossy = new Map<number, readonly (readonly PathTurn[])[]>();
  readonly #lookMs: Float64Array;

  constructor(world: SizeWorld, observer: number, process: AgentProcess) {
    this.#world = world;
    this.#observer = observer;
    this.#process = process;
    const { changes } = world;
    const { classOf, members } = changes.classes;
    const fromClass = classOf[observer] ?? 0;
    let size = 0;
    for (const toClass of changes.touchedFrom(fromClass)) {
      const targets = members[toClass] ?? [];
      const rounds = changesAt(changes.between(fromClass, toClass), process);
      this.#paths.set(toClass, { targets, rounds, at: size });
      size += targets.length * rounds.length * count;
    }
    this.#lookMs = new Float64Array(size).fill(Infinity);
    this.#findLooks(fromClass);
    for (const to of world.losingFrom(observer)) {
      // What fails loses nothing more.
      if (!this.has(to)) this.#lossy.set(to, lossyTurns(world, observer, to, process));
    }
  }

  /** How many times are kept. */
  get size(): number {
    return this.#lookMs.length;
  }

  /** The nodes to which paths change. */
  *targets(): Generator<number> {
    for (const { targets } of this.#paths.values())
      for (const to of targets) if (to !== this.#observer) yield to;
    yield* this.#lossy.keys();
  }

  /** Whether paths to that node change. */
  has(to: number): boolean {
    return this.#paths.has(this.#world.changes.classes.classOf[to] ?? 0) || this.#lossy.has(to);
  }

  /** What is said of a path from when on, until a time, in this order. */
  turns(to: number, channel: number, untilMs = Infinity): readonly PathTurn[] {
    if (to === this.#observer) return [];
    const paths = this.#paths.get(this.#world.changes.classes.classOf[to] ?? 0);
    if (paths) return this.#turnsOf(to, paths, channel, untilMs);
    const turns = this.#lossy.get(to)?.[channel] ?? [];
    const later = turns.findIndex(({ atMs }) => atMs > untilMs);
    return later === -1 ? turns : turns.slice(0, later);
  }

  /** When it looks at a node and sees a change, in this order. */
  looks(): { readonly to: number; readonly atMs: number }[] {
    const seen: { to: number; atMs: number }[] = [];
    for (const { targets, rounds, at } of this.#paths.values()) {
      for (let look = 0; look < targets.length * rounds.length; look++) {
        const first = at + look * count;
        const atMs = Math.min(...this.#lookMs.subarray(first, first + count));
        const to = targets[Math.floor(look / rounds.length)] ?? 0;
        if (atMs < this.#process.endMs) seen.push({ to, atMs });
      }
    }
    return seen.sort((a, b) => a.atMs - b.atMs);
  }

  #findLooks(fromClass: number): void {
    const { probes, hearing, plan } = this.#world;
    const { zoneOf } = plan.layout;
    const lookMs = this.#lookMs;
    const hintMs = new Float64Array(lookMs.length).fill(Infinity);
    const queues = new Map<string, QueuedLooks>();
    const [looks, hints] = [new Float64Array(count), new Float64Array(count)];
    for (const { targets, rounds, at } of this.#paths.values()) {
      const queueOf = rounds.map((changes) =>
        changes.map((change, channel) => this.#queueOf(queues, change, channel)),
      );
      let first = at;
      for (const to of targets) {
        for (const [round, changes] of rounds.entries()) {
          if (to !== this.#observer) {
            this.#lookAt(to, changes, looks, hints);
            lookMs.set(looks, first);
            hintMs.set(hints, first);
            for (let channel = 0; channel < count; channel++)
              queueOf[round]?.[channel]?.at[zoneOf[to] ?? 0]?.push(first + channel);
          }
          first += count;
        }
      }
    }
    for (const queue of queues.values()) {
      const beforeMs = queue.change.atMs - 1;
      const wasCutOff = hearing.isDoubtful(fromClass, queue.channel, beforeMs);
      waitForTurns(queue, lookMs, hintMs, { probes, wasCutOff });
    }
  }

  /** Where the looks at a change wait. First probes have a queue of their own, and keep to it already. */
  #queueOf(
    queues: Map<string, QueuedLooks>,
    change: PathChange | undefined,
    channel: number,
  ): QueuedLooks | undefined {
    if (!change || change.atMs === this.#process.startMs) return undefined;
    const key = `${change.atMs} ${channel & 1} ${change.failure === undefined}`;
    const at = () => this.#world.plan.layout.zones.map((): number[] => []);
    return getOrInsert(queues, key, () => ({ channel, change, at: at() }));
  }

  /** When it looks at a node because of changes, and when hints ask for it. */
  #lookAt(to: number, changes: Round, lookMs: Float64Array, hintMs: Float64Array): void {
    const { probes, hints, processes } = this.#world;
    const { startMs } = this.#process;
    hintMs.fill(Infinity);
    for (let channel = 0; channel < count; channel++) {
      const change = changes[channel];
      lookMs[channel] = Infinity;
      if (change?.atMs === startMs) lookMs[channel] = probes.firstMs(startMs, to, channel);
      else if (change) {
        const fromMs = processes.goesOnMs(this.#observer, change.atMs);
        const ownMs = probes.next(this.#observer, to, channel, fromMs);
        if (change.isTurn) hintMs[channel] = hints.lookMs(this.#observer, to, channel, change);
        lookMs[channel] = Math.min(ownMs, Math.max(hintMs[channel] ?? Infinity, fromMs));
      }
    }
    if (!changes.some((change) => change?.atMs === startMs)) lookBeside(changes, lookMs);
  }

  /** What is said of one path, from its looks. A change that is over before it is confirmed is not seen. */
  #turnsOf(
    to: number,
    { rounds, at }: Paths,
    channel: number,
    untilMs: number,
  ): readonly PathTurn[] {
    const { probes, changes } = this.#world;
    const { startMs } = this.#process;
    const first = at + (changes.classes.placeOf[to] ?? 0) * rounds.length * count + channel;
    const turns: PathTurn[] = [];
    for (let round = 0; round < rounds.length; round++) {
      const change = rounds[round]?.[channel];
      if (!change) continue;
      const { failure, atMs: causeMs } = change;
      if (causeMs === startMs)
        turns.push({ atMs: startMs, state: 'unknown', failure: undefined, causeMs });
      const last = turns.at(-1);
      const before = last?.state ?? 'reachable';
      const state = failure === undefined ? 'reachable' : 'unreachable';
      if (before === 'reachable' && state === 'reachable') continue;
      // A kind of failure that changes is no new state: its age goes on.
      const known = before === state ? last : undefined;
      const lookMs = this.#lookMs[first + round * count] ?? Infinity;
      let saidMs = lookMs;
      if (failure === undefined && before === 'unreachable') saidMs += probes.recoveryMs;
      if (failure !== undefined && !known) saidMs += probes.confirmMs(failure);
      const sentMs = failure === undefined || known ? saidMs : lookMs + 2 * confirmationGapMs;
      if (sentMs >= nextTurnMs(rounds, round, channel)) continue;
      if (saidMs > untilMs) break;
      const sinceMs = known?.sinceMs ?? saidMs;
      turns.push({ atMs: saidMs, state, sinceMs, failure, causeMs: known?.causeMs ?? causeMs });
    }
    return turns;
  }
}

/** When the path fails or works again next; Infinity where it does not. */
function nextTurnMs(rounds: readonly Round[], after: number, channel: number): number {
  for (let round = after + 1; round < rounds.length; round++) {
    const change = rounds[round]?.[channel];
    if (change?.isTurn === true) return change.atMs;
  }
  return Infinity;
}

/** What changes at each time, by channel. A process that has just started knows of no path before. */
function changesAt(between: ChannelChanges, { startMs, endMs }: AgentProcess): Round[] {
  const times = new Set<number>();
  for (const changes of between) {
    for (const { atMs } of changes) if (atMs > startMs && atMs < endMs) times.add(atMs);
  }
  const later = [...times]
    .sort((a, b) => a - b)
    .map((atMs) => between.map((changes) => changes.find((change) => change.atMs === atMs)));
  if (startMs === -Infinity) return later;
  const first = between.map((changes) => ({
    atMs: startMs,
    failure: failureAt(changes, startMs),
    isTurn: true,
  }));
  return [first, ...later];
}
