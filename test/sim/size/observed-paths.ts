import { channels } from '../../../agent/model/channel.js';
import type { FailureKind } from '../../../agent/model/failure.js';
import { confirmationGapMs } from '../../../agent/probing/schedule/plan.js';
import type { AgentProcess } from './agent-processes.js';
import { waitForTurns, type QueuedLook } from './look-queue.js';
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

/** What one process of an agent says of the paths that change, as time passes. */
export interface ObservedPaths {
  /** By the number of the target, and by channel, what is said from when on, in this order. */
  readonly turns: ReadonlyMap<number, readonly (readonly PathTurn[])[]>;
  /** When it looked at a node and saw a change, in this order. */
  readonly looks: readonly { readonly to: number; readonly atMs: number }[];
}

/**
 * What an agent comes to say of each path that changes: when it looks because of its own round, a hint, or another path
 * of that node, and confirms it. Where many change at once, its probes wait in their queues.
 */
export function observePaths(
  world: SizeWorld,
  observer: number,
  process: AgentProcess,
): ObservedPaths {
  const { changes } = world;
  const { classOf, members } = changes.classes;
  const fromClass = classOf[observer] ?? 0;
  const byTarget = new Map<number, (QueuedLook | undefined)[][]>();
  for (const toClass of changes.touchedFrom(fromClass)) {
    const between = changes.between(fromClass, toClass);
    const changed = changesAt(between, process);
    for (const to of members[toClass] ?? []) {
      if (to === observer) continue;
      const looks = changed.map((of) => looksOf(world, observer, to, of, process));
      byTarget.set(to, looks);
    }
  }
  const all = [...byTarget.values()].flat(2).filter((look) => look !== undefined);
  // First probes have a queue of their own, and keep to it already.
  const later = all.filter(({ change }) => change.atMs > process.startMs);
  waitForTurns(later, world.probes, (look) => {
    const beforeMs = look.change.atMs - 1;
    return world.hearing.isDoubtful(fromClass, look.channel, beforeMs);
  });
  const turns = new Map<number, readonly (readonly PathTurn[])[]>();
  const seen: { to: number; atMs: number }[] = [];
  for (const [to, rounds] of byTarget) {
    for (const looks of rounds) {
      const atMs = Math.min(...looks.map((look) => look?.atMs ?? Infinity));
      if (atMs < process.endMs) seen.push({ to, atMs });
    }
    turns.set(
      to,
      channels.map((_, channel) => {
        const looks = rounds.flatMap((round) => round[channel] ?? []);
        return turnsOf(world, looks, process);
      }),
    );
  }
  for (const to of world.losingFrom(observer)) {
    // What fails loses nothing more.
    if (!turns.has(to)) turns.set(to, lossyTurns(world, observer, to, process));
  }
  return { turns, looks: seen.sort((a, b) => a.atMs - b.atMs) };
}

/** What changes at each time, by channel. A process that has just started knows of no path before. */
function changesAt(
  between: ChannelChanges,
  { startMs, endMs }: AgentProcess,
): (PathChange | undefined)[][] {
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

function looksOf(
  { probes, hints, processes }: SizeWorld,
  observer: number,
  to: number,
  changes: readonly (PathChange | undefined)[],
  { startMs }: AgentProcess,
): (QueuedLook | undefined)[] {
  const looks = changes.map((change, channel): QueuedLook | undefined => {
    if (!change) return undefined;
    if (change.atMs === startMs)
      return { to, channel, change, atMs: probes.firstMs(startMs, to, channel), hintMs: Infinity };
    const fromMs = processes.goesOnMs(observer, change.atMs);
    const ownMs = probes.next(observer, to, channel, fromMs);
    const hintMs = change.isTurn ? hints.lookMs(observer, to, channel, change) : Infinity;
    const atMs = Math.min(ownMs, Math.max(hintMs, fromMs));
    return { to, channel, change, atMs, hintMs };
  });
  if (changes.some((change) => change?.atMs === startMs)) return looks;
  lookBeside(looks.map((look) => (look?.change.isTurn === true ? look : undefined)));
  return looks;
}

/** What is said of one path, from its looks. A change that is over before it is confirmed is not seen. */
function turnsOf(
  { probes }: SizeWorld,
  looks: readonly QueuedLook[],
  { startMs }: AgentProcess,
): PathTurn[] {
  const isNew = looks[0]?.change.atMs === startMs;
  const turns: PathTurn[] = [];
  let state: PathTurn['state'] = isNew ? 'unknown' : 'reachable';
  if (isNew) turns.push({ atMs: startMs, state, failure: undefined, causeMs: startMs });
  for (const [number, { change, atMs }] of looks.entries()) {
    const { failure } = change;
    const nextMs = looks.slice(number + 1).find((look) => look.change.isTurn)?.change.atMs;
    const untilMs = nextMs ?? Infinity;
    const causeMs = change.atMs;
    if (failure !== undefined) {
      const isKnown = state === 'unreachable';
      const sentMs = isKnown ? atMs : atMs + 2 * confirmationGapMs;
      if (sentMs >= untilMs) continue;
      const saidMs = isKnown ? atMs : atMs + probes.confirmMs(failure);
      // A kind of failure that changes is no new state: its age goes on.
      const since = isKnown ? turns.at(-1) : undefined;
      state = 'unreachable';
      const sinceMs = since?.sinceMs ?? since?.atMs ?? saidMs;
      turns.push({ atMs: saidMs, state, sinceMs, failure, causeMs: since?.causeMs ?? causeMs });
      continue;
    }
    if (state === 'reachable') continue;
    const saidMs = state === 'unknown' ? atMs : atMs + probes.recoveryMs;
    if (saidMs >= untilMs) continue;
    state = 'reachable';
    turns.push({ atMs: saidMs, state, failure, causeMs });
  }
  return turns;
}
