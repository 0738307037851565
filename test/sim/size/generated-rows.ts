import { askedPerSecond } from '../../../agent/exchange/rows/row-asker.js';
import { channels } from '../../../agent/model/channel.js';
import { nameHash } from '../../../agent/model/name-hash.js';
import { listOf } from '../../../agent/model/row-coverage.js';
import {
  livesForMs,
  rowRewriteMs,
  type Row,
  type RowList,
  type RowPath,
  type RowSweep,
  type RowZone,
} from '../../../agent/model/row.js';
import type { ZoneOf } from '../../../agent/peers/named-nodes.js';
import { boundRow } from '../../../agent/peers/row/build-row.js';
import { livesSinceMs } from '../../../agent/peers/row/paths.js';
import { makeRow } from '../../rows/make-row.js';
import type { AgentProcess } from './agent-processes.js';
import { answeredSince } from './answered-since.js';
import { windowMs } from './lossy-paths.js';
import { modulo } from './probe-times.js';
import { observePaths, type ObservedPaths, type PathTurn } from './observed-paths.js';
import { getChannel, type SizeWorld } from './size-world.js';

/** A row as its agent sends it. */
export interface GeneratedRow {
  readonly row: Row;
  /** When it was written, in milliseconds from the start. */
  readonly writtenMs: number;
  /** For each change that this agent saw end: when the change came. */
  readonly endsSeen: ReadonlySet<number>;
  /** For each change after which it tells of a path that fails: when the change came. */
  readonly beginsSeen: ReadonlySet<number>;
}

/** A process that stood still calls itself starved for this long. */
const starvedForMs = 10_000;
/** Before the round begins, all agents ran for long. */
const longAgoMs = -3_600_000;
const askedPurpose = 32;

interface Told {
  readonly to: number;
  readonly channel: number;
  readonly turn: PathTurn;
}

/** Writes the rows of all agents of a cluster as they would be at any time. */
export class GeneratedRows {
  readonly #world: SizeWorld;
  readonly #list: RowList;
  readonly #zoneSizes: readonly number[];
  readonly #zoneOf: ZoneOf;
  readonly #sweeps: readonly RowSweep[];
  /** What is the same in all rows in which all is well, by the zone of their observers. */
  readonly #wellZones = new Map<number, readonly RowZone[]>();
  /** Few paths of a node change as a rule. What is too much to be kept is made anew each time. */
  #keptPaths = 0;
  readonly #observed = new Map<string, ObservedPaths>();

  constructor(world: SizeWorld) {
    this.#world = world;
    const { names, zones, zoneOf } = world.plan.layout;
    const zoneOfName = new Map(names.map((name, node) => [name, zones[zoneOf[node] ?? -1]]));
    this.#zoneOf = (name) => (zones.length > 1 ? zoneOfName.get(name) : '');
    this.#list = listOf(names.map(nameHash));
    const { intervalMs } = world.probes;
    this.#sweeps = channels.map((of, channel) => ({
      ...of,
      intervalMs: intervalMs[channel] ?? 0,
      unansweredSeconds: 0,
    }));
    this.#zoneSizes = zones.map((_, zone) => zoneOf.filter((of) => of === zone).length);
  }

  /** The paths of an agent's process that change. */
  observed(observer: number, process: AgentProcess): ObservedPaths {
    const key = `${observer} ${process.startMs}`;
    let observed = this.#observed.get(key);
    if (!observed) {
      observed = observePaths(this.#world, observer, process);
      const { size } = observed.turns;
      if (this.#keptPaths + size > mostKept) return observed;
      this.#keptPaths += size;
      this.#observed.set(key, observed);
    }
    return observed;
  }

  /** When any agent says first that a path fails because of a change, or works again; Infinity if none does. */
  firstVerdictMs(causeMs: number, verdict: 'failing' | 'reachable' = 'failing'): number {
    let firstMs = Infinity;
    for (let observer = 0; observer < this.#world.nodes; observer++) {
      const process = this.#world.processes.at(observer, causeMs);
      if (!process) continue;
      for (const ofTarget of this.observed(observer, process).turns.values()) {
        for (const turn of ofTarget.flat()) {
          const isSuch = (turn.state === 'reachable') === (verdict === 'reachable');
          if (isSuch && turn.causeMs === causeMs) firstMs = Math.min(firstMs, turn.atMs);
        }
      }
    }
    return firstMs;
  }

  /** The row of an agent of which all is well, and was for long. */
  well(observer: number): GeneratedRow {
    const process = { startMs: -Infinity, endMs: Infinity };
    const nothing = { turns: new Map(), looks: [] };
    return { ...this.#write(observer, process, nothing, longAgoMs), writtenMs: longAgoMs };
  }

  /** The row that an agent sends then. It tells of 64 nodes at most. */
  sent(observer: number, process: AgentProcess, atMs: number): GeneratedRow {
    const observed = this.observed(observer, process);
    const phaseMs = this.#world.probes.share(observer, observer, askedPurpose) * rowRewriteMs;
    const turnMs = (ms: number) =>
      Math.ceil((ms - phaseMs) / rowRewriteMs) * rowRewriteMs + phaseMs;
    const calledMs = this.#world.hints.lastCallMs(observer, atMs);
    const checkedMs = Math.max(turnMs(atMs - rowRewriteMs), process.startMs, calledMs);
    const lastMs = this.#lastChangeMs(observer, process, observed, checkedMs);
    const writtenMs = lastMs === -Infinity ? longAgoMs : Math.min(turnMs(lastMs), checkedMs);
    const written = this.#write(observer, process, observed, writtenMs);
    return { ...written, row: boundRow(written.row, { zoneOf: this.#zoneOf }), writtenMs };
  }

  /** All that an agent sees then. */
  own(
    observer: number,
    process: AgentProcess,
    observed: ObservedPaths,
    atMs: number,
  ): GeneratedRow {
    return { ...this.#write(observer, process, observed, atMs), writtenMs: atMs };
  }

  /** When the GET of one agent came to another last, until a time; -Infinity if none did. */
  lastGetMs(from: number, to: number, untilMs: number): number {
    const { probes, nodes } = this.#world;
    const intervalMs = probes.intervalMs[getChannel] ?? 0;
    const askedMs = Math.max(nodes / askedPerSecond, 1) * 1000;
    const phaseMs = probes.share(from, to, askedPurpose) * askedMs;
    const asked = untilMs - modulo(untilMs - phaseMs, askedMs);
    const steady = probes.last(from, to, getChannel, untilMs);
    const [firstChange = Infinity] = this.#world.changes.atMs;
    const times = [steady, steady - intervalMs, steady - 2 * intervalMs];
    if (asked > firstChange) times.push(asked);
    times.push(...this.#world.refutations.getsMs(from, to).filter((ms) => ms <= untilMs));
    const arrived = times.filter((ms) => this.#world.exchanges(from, to, ms));
    return Math.max(-Infinity, ...arrived);
  }

  /** When it changed last whether an agent hears another one, between two times; -Infinity if it did not. */
  #heardChangeMs(from: number, to: number, fromMs: number, untilMs: number): number {
    const { probes, nodes, refutations } = this.#world;
    const askedMs = Math.max(nodes / askedPerSecond, 1) * 1000;
    const asked = fromMs + modulo(probes.share(from, to, askedPurpose) * askedMs - fromMs, askedMs);
    const steady = probes.next(from, to, getChannel, fromMs);
    const gets = [
      ...timesUntil(untilMs, steady, probes.intervalMs[getChannel] ?? Infinity),
      ...timesUntil(untilMs, asked, askedMs),
      ...refutations.getsMs(from, to).filter((ms) => fromMs <= ms && ms <= untilMs),
    ];
    const freshMs = livesForMs(probes);
    let [changedMs, lastMs] = [-Infinity, -Infinity];
    for (const ms of gets.sort((a, b) => a - b)) {
      if (!this.#world.exchanges(from, to, ms)) continue;
      if (ms > lastMs + freshMs) changedMs = ms;
      lastMs = ms;
    }
    return lastMs + freshMs < untilMs ? lastMs + freshMs : changedMs;
  }

  /** When what the row tells changed last, until a time. */
  #lastChangeMs(
    observer: number,
    { startMs }: AgentProcess,
    { turns }: ObservedPaths,
    untilMs: number,
  ): number {
    let lastMs = -Infinity;
    for (const [to, ofTarget] of turns) {
      let sinceMs: number | undefined;
      for (const ofChannel of ofTarget) {
        let last: PathTurn | undefined;
        for (const turn of ofChannel) {
          if (turn.atMs > untilMs) break;
          last = turn;
        }
        if (!last) continue;
        lastMs = Math.max(lastMs, last.atMs);
        if (last.state === 'unreachable')
          sinceMs = Math.max(sinceMs ?? -Infinity, this.#livesSinceMs(last));
      }
      if (sinceMs === undefined) continue;
      // It tells also whether the node is heard.
      lastMs = Math.max(lastMs, this.#heardChangeMs(to, observer, sinceMs, untilMs));
    }
    const sweptMs = this.#world.probes.sweptMs(startMs);
    if (startMs > -Infinity) lastMs = Math.max(lastMs, Math.min(untilMs, sweptMs));
    const { processes } = this.#world;
    if (processes.wasPaused(observer, untilMs, starvedForMs)) return untilMs;
    // It was starved, and is no more.
    if (processes.wasPaused(observer, untilMs, Infinity)) {
      const endMs = processes.pausedUntilMs(observer, untilMs) + starvedForMs;
      return Math.max(lastMs, endMs);
    }
    return lastMs;
  }

  #livesSinceMs({ atMs, sinceMs = atMs, failure }: PathTurn): number {
    return livesSinceMs(sinceMs, failure, this.#world.probes.httpTimeoutMs);
  }

  #write(
    observer: number,
    process: AgentProcess,
    observed: ObservedPaths,
    atMs: number,
  ): Pick<GeneratedRow, 'row' | 'endsSeen' | 'beginsSeen'> {
    const { plan, probes, processes } = this.#world;
    const { names, zoneOf } = plan.layout;
    const told: Told[] = [];
    const [endsSeen, beginsSeen] = [new Set<number>(), new Set<number>()];
    for (const [to, ofTarget] of observed.turns) {
      for (let channel = 0; channel < channels.length; channel++) {
        let turn: PathTurn | undefined;
        for (const one of ofTarget[channel] ?? []) {
          if (one.atMs > atMs) break;
          if (one.state === 'reachable') endsSeen.add(one.causeMs);
          else beginsSeen.add(one.causeMs);
          turn = one;
        }
        if (turn && turn.state !== 'reachable') told.push({ to, channel, turn });
      }
    }
    if (atMs < probes.sweptMs(process.startMs)) this.#addUnprobed(process, observed, atMs, told);
    const paths: RowPath[] = [];
    const notReachable = new Map<number, number>();
    const failingSinceMs = new Map<number, number>();
    const failing = failingTurns(told);
    for (const { to, channel, turn } of told) {
      const of = channels[channel];
      const { state, failure } = turn;
      if (!of || state === 'reachable') continue;
      if (state !== 'lossy') {
        const zone = 4 * (zoneOf[to] ?? 0) + channel;
        notReachable.set(zone, (notReachable.get(zone) ?? 0) + 1);
      }
      const ageSeconds = Math.max(Math.floor((atMs - (turn.sinceMs ?? turn.atMs)) / 1000), 0);
      const path = { node: names[to] ?? '', ...of, state, ageSeconds };
      const its = failing.get(to);
      const answered = its
        ? answeredSince(this.#world, [observer, to], its, channel, failing.size, {
            startMs: process.startMs,
            atMs,
          })
        : 0;
      const getMs = channel === getChannel ? this.lastGetMs(to, observer, atMs) : -Infinity;
      const isUnheard = state === 'unreachable' && getMs >= process.startMs && getMs > -Infinity;
      paths.push({
        ...path,
        ...(failure && { failure }),
        ...(answered !== 0 && { answeredSince: answered }),
        ...(state === 'lossy' && { lost: lostBy(turn, atMs) }),
        ...(isUnheard && { unheardSeconds: Math.floor((atMs - getMs) / 1000) }),
      });
      if (state === 'unreachable')
        failingSinceMs.set(
          to,
          Math.max(failingSinceMs.get(to) ?? -Infinity, this.#livesSinceMs(turn)),
        );
    }
    const { httpIntervalMs, httpTimeoutMs } = probes;
    const heardFromMs = atMs - livesForMs(probes);
    const heard: string[] = [];
    for (const [to, sinceMs] of failingSinceMs) {
      const getMs = this.lastGetMs(to, observer, atMs);
      if (getMs >= Math.max(heardFromMs, sinceMs, process.startMs)) heard.push(names[to] ?? '');
    }
    const row = makeRow(names[observer] ?? '', paths, names.length, {
      httpIntervalMs,
      httpTimeoutMs,
      refutation: this.#world.refutations.told,
      sweeps: this.#sweepsOf(observer, process, atMs),
      health: {
        ready: true,
        starved: processes.wasPaused(observer, atMs, starvedForMs),
        notSending: [],
      },
      list: this.#list,
      zones: this.#zones(observer, notReachable),
      ...(heard.length > 0 && { heard }),
    });
    return { row, endsSeen, beginsSeen };
  }

  /** Of a channel on which some probes are answered, one was just now. */
  #sweepsOf(observer: number, { startMs }: AgentProcess, atMs: number): readonly RowSweep[] {
    const { hearing, changes } = this.#world;
    const sinceMs = channels.map((_, channel) =>
      hearing.unansweredSinceMs(changes.classes.classOf[observer] ?? 0, channel, atMs),
    );
    if (sinceMs.every((ms) => ms === undefined)) return this.#sweeps;
    return this.#sweeps.map(({ unansweredSeconds = 0, ...sweep }, channel) => {
      const ms = sinceMs[channel];
      if (ms === undefined) return { ...sweep, unansweredSeconds };
      return ms < startMs ? sweep : { ...sweep, unansweredSeconds: Math.floor((atMs - ms) / 1000) };
    });
  }

  /** The paths that a process has not probed yet. */
  #addUnprobed(
    { startMs }: AgentProcess,
    { turns }: ObservedPaths,
    atMs: number,
    told: Told[],
  ): void {
    const turn = { atMs: startMs, state: 'unknown', failure: undefined, causeMs: startMs } as const;
    for (let to = 0; to < this.#world.nodes; to++) {
      if (turns.has(to)) continue;
      for (let channel = 0; channel < channels.length; channel++) {
        if (this.#world.probes.firstMs(startMs, to, channel) > atMs)
          told.push({ to, channel, turn });
      }
    }
  }

  /** How many paths to each zone answer, and the RTTs. */
  #zones(observer: number, notReachable: ReadonlyMap<number, number>): readonly RowZone[] {
    const { zones, zoneOf } = this.#world.plan.layout;
    const own = zoneOf[observer] ?? 0;
    const known = this.#wellZones.get(own);
    if (known && notReachable.size === 0) return known;
    const written = zones.flatMap((name, zone) =>
      channels.flatMap((of, channel): RowZone[] => {
        const paths = (this.#zoneSizes[zone] ?? 0) - (notReachable.get(4 * zone + channel) ?? 0);
        if (paths <= 0) return [];
        const p50Ns = (zone === own ? 100_000 : 300_000) * (of.protocol === 'http' ? 3 : 1);
        return [{ zone: zones.length > 1 ? name : '', ...of, paths, p50Ns, p99Ns: 4 * p50Ns }];
      }),
    );
    if (notReachable.size === 0) this.#wellZones.set(own, written);
    return written;
  }
}

/** How many probes a lossy path has lost in ten minutes. */
function lostBy({ lostMs = [] }: PathTurn, atMs: number): number {
  return lostMs.filter((ms) => ms <= atMs && ms > atMs - windowMs).length;
}

/** Of each node to which a path fails, the turns of those that do by channel. */
function failingTurns(told: readonly Told[]): ReadonlyMap<number, (PathTurn | undefined)[]> {
  const failing = new Map<number, (PathTurn | undefined)[]>();
  for (const { to, channel, turn } of told) {
    if (turn.state !== 'unreachable') continue;
    const its = failing.get(to) ?? [];
    its[channel] = turn;
    failing.set(to, its);
  }
  return failing;
}

/** The paths to so many nodes are kept, of all agents together: some 200 MB. */
const mostKept = 300_000;

/** The times from a first one on, at one distance. */
function timesUntil(untilMs: number, firstMs: number, everyMs: number): number[] {
  const count = Math.max(Math.floor((untilMs - firstMs) / everyMs) + 1, 0);
  return Array.from({ length: count }, (_, at) => firstMs + at * everyMs);
}
