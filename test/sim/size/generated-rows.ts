import { getOrInsert } from '../../../agent/diagnosis/nouns/get-or-insert.js';
import { askedPerSecond } from '../../../agent/exchange/rows/row-asker.js';
import { channelNumber, channels, type Channel } from '../../../agent/model/channel.js';
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
import { boundRow, type RowBounds } from '../../../agent/peers/row/build-row.js';
import { livesSinceMs } from '../../../agent/peers/row/paths.js';
import { makeRow } from '../../rows/make-row.js';
import type { AgentProcess } from './agent-processes.js';
import { answeredSince } from './answered-since.js';
import { windowMs } from './lossy-paths.js';
import { modulo } from './probe-times.js';
import { ObservedPaths, type PathTurn } from './observed-paths.js';
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
  readonly of: Channel;
  readonly state: Exclude<PathTurn['state'], 'reachable'>;
  readonly turn: PathTurn;
}

/** What an agent has come to say of the paths that change. */
interface Seen extends Pick<GeneratedRow, 'endsSeen' | 'beginsSeen'> {
  /** When that changed last. */
  readonly lastMs: number;
  /** The paths that are not well. */
  readonly told: readonly Told[];
  /** Of each node to which a path fails, the turns of those that do by channel. */
  readonly failing: ReadonlyMap<number, readonly (PathTurn | undefined)[]>;
}

/** Writes the rows of all agents of a cluster as they would be at any time. */
export class GeneratedRows {
  readonly #world: SizeWorld;
  readonly #list: RowList;
  readonly #zoneSizes: readonly number[];
  readonly #numberOf: ReadonlyMap<string, number>;
  readonly #zoneOf: ZoneOf;
  readonly #sweeps: readonly RowSweep[];
  /** What is the same in all rows in which all is well, by the zone of their observers. */
  readonly #wellZones = new Map<number, readonly RowZone[]>();
  /** Paths that fail, by four times the node and the channel. */
  readonly #failing: RowPath[] = [];
  /** What is too much to be kept is made anew each time. */
  #kept = 0;
  readonly #observed = new Map<string, ObservedPaths>();

  constructor(world: SizeWorld) {
    this.#world = world;
    const { names, zones, zoneOf } = world.plan.layout;
    this.#numberOf = new Map(names.map((name, node) => [name, node]));
    this.#zoneOf = (name) =>
      zones.length > 1 ? zones[zoneOf[this.#numberOf.get(name) ?? -1] ?? -1] : '';
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
      observed = new ObservedPaths(this.#world, observer, process);
      if (this.#kept + observed.size > mostKept) return observed;
      this.#kept += observed.size;
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
      const observed = this.observed(observer, process);
      for (const to of observed.targets()) {
        for (const turn of channels.flatMap((_, channel) => observed.turns(to, channel))) {
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
    return this.#write(observer, process, nothingSeen, longAgoMs);
  }

  /** The row that an agent sends then. It tells of 64 nodes at most. */
  sent(observer: number, process: AgentProcess, atMs: number): GeneratedRow {
    const observed = this.observed(observer, process);
    const phaseMs = this.#world.probes.share(observer, observer, askedPurpose) * rowRewriteMs;
    const turnMs = (ms: number) =>
      Math.ceil((ms - phaseMs) / rowRewriteMs) * rowRewriteMs + phaseMs;
    const calledMs = this.#world.hints.lastCallMs(observer, atMs);
    const checkedMs = Math.max(turnMs(atMs - rowRewriteMs), process.startMs, calledMs);
    const seen = see(observed, checkedMs);
    const lastMs = this.#lastChangeMs(observer, process, seen, checkedMs);
    const writtenMs = lastMs === -Infinity ? longAgoMs : Math.min(turnMs(lastMs), checkedMs);
    const told = [...seen.told, ...this.#unprobed(process, observed, writtenMs)];
    const bounds = { zoneOf: this.#zoneOf };
    return this.#write(observer, process, { ...seen, told }, writtenMs, bounds);
  }

  /** All that an agent sees then. */
  own(
    observer: number,
    process: AgentProcess,
    observed: ObservedPaths,
    atMs: number,
  ): GeneratedRow {
    const seen = see(observed, atMs);
    const told = [...seen.told, ...this.#unprobed(process, observed, atMs)];
    return this.#write(observer, process, { ...seen, told }, atMs, { mostNodes: Infinity });
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
  #lastChangeMs(observer: number, { startMs }: AgentProcess, seen: Seen, untilMs: number): number {
    let { lastMs } = seen;
    // It tells also whether the node is heard.
    for (const [to, turns] of seen.failing) {
      if (lastMs > untilMs - rowRewriteMs) break;
      const changedMs = this.#heardChangeMs(to, observer, this.#failingSinceMs(turns), untilMs);
      lastMs = Math.max(lastMs, changedMs);
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

  /** Since when a GET of a node says that it lives though paths to it fail. */
  #failingSinceMs(turns: readonly (PathTurn | undefined)[]): number {
    let latestMs = -Infinity;
    for (const turn of turns) {
      if (!turn) continue;
      const { atMs, sinceMs = atMs, failure } = turn;
      const fromMs = livesSinceMs(sinceMs, failure, this.#world.probes.httpTimeoutMs);
      latestMs = Math.max(latestMs, fromMs);
    }
    return latestMs;
  }

  #write(
    observer: number,
    process: AgentProcess,
    { told, failing, endsSeen, beginsSeen }: Seen,
    writtenMs: number,
    bounds?: RowBounds,
  ): GeneratedRow {
    const { plan, probes, processes, refutations } = this.#world;
    const { names, zoneOf } = plan.layout;
    const { httpIntervalMs, httpTimeoutMs } = probes;
    const notReachable = new Uint32Array(4 * this.#zoneSizes.length);
    const paths: RowPath[] = [];
    for (const one of told) {
      const zone = 4 * (zoneOf[one.to] ?? 0) + one.channel;
      if (one.state !== 'lossy') notReachable[zone] = (notReachable[zone] ?? 0) + 1;
      paths.push(this.#pathTold(one, writtenMs));
    }
    const whole = makeRow(names[observer] ?? '', paths, names.length, {
      httpIntervalMs,
      httpTimeoutMs,
      refutation: refutations.told,
      sweeps: this.#sweepsOf(observer, process, writtenMs),
      health: {
        ready: true,
        starved: processes.wasPaused(observer, writtenMs, starvedForMs),
        notSending: [],
      },
      list: this.#list,
      zones: this.#zones(observer, notReachable),
    });
    const row = bounds ? boundRow(whole, bounds) : whole;
    const answers = this.#answersOf(row, observer, process, failing, writtenMs);
    return { row: { ...row, ...answers }, writtenMs, endsSeen, beginsSeen };
  }

  /** What a row tells of the answers and the GETs of the nodes to which paths fail. */
  #answersOf(
    row: Row,
    observer: number,
    { startMs }: AgentProcess,
    failing: Seen['failing'],
    atMs: number,
  ): Pick<Row, 'paths' | 'heard'> {
    if (failing.size === 0) return { paths: row.paths };
    const freshMs = Math.max(atMs - livesForMs(this.#world.probes), startMs);
    const heard = new Set<string>();
    const { zoneOf } = this.#world.plan.layout;
    const inZone = new Uint32Array(this.#zoneSizes.length);
    for (const to of failing.keys()) inZone[zoneOf[to] ?? 0] = (inZone[zoneOf[to] ?? 0] ?? 0) + 1;
    const paths = row.paths.map((path): RowPath => {
      const to = this.#numberOf.get(path.node) ?? -1;
      const its = failing.get(to);
      if (!its || path.state !== 'unreachable') return path;
      const channel = channelNumber(path.plane, path.protocol);
      const times = { startMs, atMs };
      const answered = answeredSince(
        this.#world,
        [observer, to],
        its,
        channel,
        inZone[zoneOf[to] ?? 0] ?? 0,
        times,
      );
      const turn = its[channel];
      const getMs = this.lastGetMs(to, observer, atMs);
      if (getMs >= Math.max(freshMs, this.#failingSinceMs(its))) heard.add(path.node);
      const isUnheard = channel === getChannel && getMs >= startMs && getMs > -Infinity;
      return {
        ...path,
        ...(turn && { ageSeconds: secondsSince(turn, atMs) }),
        ...(turn?.failure && { failure: turn.failure }),
        ...(answered !== 0 && { answeredSince: answered }),
        ...(isUnheard && { unheardSeconds: Math.floor((atMs - getMs) / 1000) }),
      };
    });
    return { paths, ...(heard.size > 0 && { heard: [...heard] }) };
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

  /** What a row says of a path. All share that it fails: since when and why is looked up for the named nodes alone. */
  #pathTold({ to, channel, of, state, turn }: Told, atMs: number): RowPath {
    const path = (): RowPath => ({
      node: this.#world.plan.layout.names[to] ?? '',
      ...of,
      state,
      ageSeconds: secondsSince(turn, atMs),
    });
    if (state === 'unreachable') return (this.#failing[4 * to + channel] ??= path());
    if (state === 'unknown') return path();
    const lost = turn.lostMs?.filter((ms) => ms <= atMs && ms > atMs - windowMs).length;
    return { ...path(), ...(lost !== undefined && { lost }) };
  }

  /** The paths that a process has not probed yet. */
  #unprobed({ startMs }: AgentProcess, observed: ObservedPaths, atMs: number): Told[] {
    const told: Told[] = [];
    const { nodes, probes } = this.#world;
    if (atMs >= probes.sweptMs(startMs)) return told;
    const state = 'unknown';
    const turn = { atMs: startMs, state, failure: undefined, causeMs: startMs } as const;
    for (let to = 0; to < nodes; to++) {
      if (observed.has(to)) continue;
      for (const [channel, of] of channels.entries())
        if (probes.firstMs(startMs, to, channel) > atMs)
          told.push({ to, channel, of, state, turn });
    }
    return told;
  }

  /** How many paths to each zone answer, and the RTTs. */
  #zones(observer: number, notReachable: Uint32Array): readonly RowZone[] {
    const { zones, zoneOf } = this.#world.plan.layout;
    const own = zoneOf[observer] ?? 0;
    const known = this.#wellZones.get(own);
    const isWell = notReachable.every((paths) => paths === 0);
    if (known && isWell) return known;
    const written = zones.flatMap((name, zone) =>
      channels.flatMap((of, channel): RowZone[] => {
        const paths = (this.#zoneSizes[zone] ?? 0) - (notReachable[4 * zone + channel] ?? 0);
        if (paths <= 0) return [];
        const p50Ns = (zone === own ? 100_000 : 300_000) * (of.protocol === 'http' ? 3 : 1);
        return [{ zone: zones.length > 1 ? name : '', ...of, paths, p50Ns, p99Ns: 4 * p50Ns }];
      }),
    );
    if (isWell) this.#wellZones.set(own, written);
    return written;
  }
}

const nothingSeen: Seen = {
  lastMs: -Infinity,
  told: [],
  failing: new Map(),
  endsSeen: new Set(),
  beginsSeen: new Set(),
};

/** What is said of all paths that change, until a time. */
function see(observed: ObservedPaths, untilMs: number): Seen {
  const told: Told[] = [];
  const failing = new Map<number, (PathTurn | undefined)[]>();
  const [endsSeen, beginsSeen] = [new Set<number>(), new Set<number>()];
  let lastMs = -Infinity;
  for (const to of observed.targets()) {
    for (const [channel, of] of channels.entries()) {
      const turns = observed.turns(to, channel, untilMs);
      for (const { state, causeMs } of turns)
        (state === 'reachable' ? endsSeen : beginsSeen).add(causeMs);
      const turn = turns.at(-1);
      if (!turn) continue;
      lastMs = Math.max(lastMs, turn.atMs);
      const { state } = turn;
      if (state !== 'reachable') told.push({ to, channel, of, state, turn });
      if (state === 'unreachable') getOrInsert(failing, to, () => [])[channel] = turn;
    }
  }
  return { lastMs, told, failing, endsSeen, beginsSeen };
}

function secondsSince({ atMs, sinceMs = atMs }: PathTurn, nowMs: number): number {
  return Math.max(Math.floor((nowMs - sinceMs) / 1000), 0);
}

/** So many times of looks are kept, of all agents together: some 800 MB. */
const mostKept = 100_000_000;

/** The times from a first one on, at one distance. */
function timesUntil(untilMs: number, firstMs: number, everyMs: number): number[] {
  const count = Math.max(Math.floor((untilMs - firstMs) / everyMs) + 1, 0);
  return Array.from({ length: count }, (_, at) => firstMs + at * everyMs);
}
