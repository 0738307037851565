import { hintedPerSecond } from '../../../agent/exchange/hints/hinted-delay.js';
import {
  aloneAfterMs,
  answeredAfterMs,
  probeAgainMs,
  manyNodes,
  otherEndAfterMs,
  unansweredAfterMs,
} from '../../../agent/exchange/hints/lone-witness.js';
import { unansweredPaths } from '../../../agent/exchange/hints/self-doubt.js';
import { channelNumber, channels } from '../../../agent/model/channel.js';
import type { Hearing } from './hearing.js';
import { ownLooks } from './own-looks.js';
import type { PathChange, PathChanges } from './path-changes.js';
import type { ProbeTimes } from './probe-times.js';

/** When agents that saw a change told it first. */
interface Birth {
  /** By channel; Infinity where nobody sees that channel change. */
  readonly failedMs: Float64Array;
  readonly recoveredMs: Float64Array;
}

/** An agent that alone sees a change asks all others to look at it. Times are milliseconds from the start. */
export interface Call {
  readonly witness: number;
  /** When the change came of which its row tells. */
  readonly changeMs: number;
  readonly atMs: number;
}

/** An agent that alone sees the paths to a class of nodes fail, since when the others are called to know. */
interface Alone {
  readonly witness: number;
  readonly toClass: number;
  readonly calledMs: number;
}

/** An agent that alone sees how the paths to a node change. */
interface Lone {
  readonly witness: number;
  readonly to: number;
  readonly toClass: number;
  readonly birth: Birth;
}

/** A first hint waits this long, and each further step of its way takes as much. */
const stepMs = 40;

/** Of the plane of hosts. */
const getChannel = channelNumber('host', 'http');

/** Purposes of random numbers, beside those of the steady probes. */
const [hearsPurpose, looksPurpose] = [8, 16];
const [callPurpose, unansweredPurpose] = [80, 96];
/** Until a call is heard by most. */
const heardAfterMs = 300;

/** What hints bring forward: when an agent looks at a path because others saw it change. */
export class Hints {
  readonly #changes: PathChanges;
  readonly #hearing: Hearing;
  readonly #probes: ProbeTimes;
  /** By the time of the change, and the number of the node. */
  readonly #births = new Map<number, (ReadonlyMap<number, Birth> | undefined)[]>();
  readonly #looks = new Float64Array(4);
  #calls: readonly Call[] | undefined;
  readonly #alone: Alone[] = [];
  readonly #told = new Map<string, readonly number[]>();

  constructor(changes: PathChanges, hearing: Hearing, probes: ProbeTimes) {
    this.#changes = changes;
    this.#hearing = hearing;
    this.#probes = probes;
  }

  /**
   * When an agent looks at a path because of a hint of that change, because it alone knows that the path fails, or because
   * the other end, which sees the same, calls it; Infinity where it does none of these.
   */
  lookMs(from: number, to: number, channel: number, change: PathChange): number {
    const hintedMs = this.#hintedMs(from, to, channel, change);
    if (change.failure === undefined)
      return Math.min(this.#againMs(from, to, change.atMs), hintedMs);
    return Math.min(this.#calledMs(from, to, channel, change.atMs), hintedMs);
  }

  /**
   * When an agent looks at another one that calls it because of a change; Infinity where none does. Where a GET gets its row,
   * and that tells that it does not reach this agent, the agent looks along these paths too.
   */
  #calledMs(from: number, to: number, channel: number, changeMs: number): number {
    this.#calls ??= this.#findCalls();
    const call = this.#calls.find((one) => one.witness === to && one.changeMs === changeMs);
    if (!call || !this.#hears(from, call)) return Infinity;
    const fromClass = this.#changes.classes.classOf[from] ?? 0;
    const isOtherEnd = (one: Alone) =>
      one.witness === to && one.toClass === fromClass && one.calledMs === call.atMs;
    const isLookedAt = channel === getChannel || this.#alone.some(isOtherEnd);
    return isLookedAt ? this.#calledLookMs(from, call) : Infinity;
  }

  /** When an agent that sees a change first, or knows of it from the row of the other end, calls; Infinity where it does not. */
  #callMs(one: Lone, all: readonly Lone[], changeMs: number): number {
    const failedMs = Math.min(...one.birth.failedMs);
    const ownMs = failedMs + aloneAfterMs;
    const other = all.find(({ witness, to }) => witness === one.to && to === one.witness);
    if (!other) return ownMs;
    const atMs = Math.min(...other.birth.failedMs) + aloneAfterMs;
    const call = { witness: one.to, changeMs, atMs };
    const { classOf } = this.#changes.classes;
    const of = this.#changes.between(classOf[one.witness] ?? 0, classOf[one.to] ?? 0);
    const changed = of.flatMap((changes) => changes.filter((each) => each.atMs === changeMs));
    const isGetLost = of[getChannel]?.some((each) => each.atMs === changeMs) === true;
    if (isGetLost || changed.length === 0 || !this.#hears(one.witness, call)) return ownMs;
    const confirmMs = Math.max(
      ...changed.map(({ failure }) =>
        failure === undefined ? 0 : this.#probes.confirmMs(failure),
      ),
    );
    const toldMs = this.#calledLookMs(one.witness, call);
    const bothMs = Math.max(toldMs, Math.min(failedMs, toldMs + confirmMs));
    return Math.min(ownMs, bothMs + otherEndAfterMs);
  }

  /** When an agent looks again at what it alone saw fail, from a change on; Infinity where it does not. */
  #againMs(from: number, to: number, changeMs: number): number {
    this.#calls ??= this.#findCalls();
    return this.#nextTurnMs(from, this.#changes.classes.classOf[to] ?? 0, changeMs);
  }

  #nextTurnMs(from: number, toClass: number, changeMs: number): number {
    const alone = this.#alone.findLast(
      (one) => one.witness === from && one.toClass === toClass && one.calledMs < changeMs,
    );
    if (!alone) return Infinity;
    const { calledMs } = alone;
    return calledMs + Math.ceil((changeMs - calledMs) / probeAgainMs) * probeAgainMs;
  }

  #hintedMs(from: number, to: number, channel: number, change: PathChange): number {
    const birth = this.#birthFor(from, to, change.atMs);
    if (!birth) return Infinity;
    const { nodes } = this.#probes;
    const isFailure = change.failure !== undefined;
    const bornMs = (isFailure ? birth.failedMs : birth.recoveredMs)[channel] ?? Infinity;
    if (bornMs === Infinity) return Infinity;
    const isGet = channels[channel]?.protocol === 'http';
    const rate = !isFailure
      ? hintedPerSecond.recovery
      : isGet
        ? hintedPerSecond.get
        : hintedPerSecond.echo;
    const steps = 1 + this.#probes.share(from, to, hearsPurpose) * Math.log2(nodes);
    const waitMs = this.#probes.share(from, to, looksPurpose + channel) * (nodes / rate) * 1000;
    return bornMs + steps * stepMs + waitMs;
  }

  /** When the first hint of a change of a node's paths was told to an agent; Infinity if none was. */
  bornMs(from: number, to: number, atMs: number): number {
    const birth = this.#birthFor(from, to, atMs);
    return birth ? Math.min(...birth.failedMs, ...birth.recoveredMs) : Infinity;
  }

  /** When an agent looks at others that call it, and gets their rows, in this order. */
  calledLooks(from: number): { readonly peer: number; readonly atMs: number }[] {
    this.#calls ??= this.#findCalls();
    return this.#calls
      .filter((call) => this.#hears(from, call))
      .map((call) => ({ peer: call.witness, atMs: this.#calledLookMs(from, call) }))
      .sort((a, b) => a.atMs - b.atMs);
  }

  /** When an agent called last, until a time: its row is written anew then. -Infinity: it did not. */
  lastCallMs(witness: number, untilMs: number): number {
    this.#calls ??= this.#findCalls();
    const ofIt = this.#calls.filter((call) => call.witness === witness && call.atMs <= untilMs);
    return Math.max(-Infinity, ...ofIt.map(({ atMs }) => atMs));
  }

  #hears(from: number, { witness, changeMs }: Call): boolean {
    const { classOf } = this.#changes.classes;
    const groupOf = (node: number) => this.#hearing.groupOf(classOf[node] ?? 0, changeMs);
    return witness !== from && groupOf(from) !== -1 && groupOf(from) === groupOf(witness);
  }

  #calledLookMs(from: number, { witness, atMs }: Call): number {
    const { nodes } = this.#probes;
    const share = this.#probes.share(from, witness, callPurpose);
    const steps = 1 + this.#probes.share(from, witness, hearsPurpose) * Math.log2(nodes);
    return atMs + steps * stepMs + share * (nodes / hintedPerSecond.get) * 1000;
  }

  /** The nodes to which paths change then, as agents of a group tell each other. */
  toldOf(atMs: number, group: number): readonly number[] {
    const key = `${atMs} ${group}`;
    let nodes = this.#told.get(key);
    if (!nodes) {
      const { members } = this.#changes.classes;
      const classes = [...members.keys()];
      const tell = classes.filter((from) => this.#hearing.groupOf(from, atMs) === group);
      const isTold = (from: number, to: number) =>
        this.#changes
          .between(from, to)
          .some(
            (of, channel) =>
              of.some((one) => one.atMs === atMs && one.isTurn) &&
              !this.#hearing.isDoubtful(from, channel, atMs),
          );
      const told = classes.filter((to) => tell.some((from) => isTold(from, to)));
      nodes = told.flatMap((to) => members[to] ?? []);
      this.#told.set(key, nodes);
    }
    return nodes;
  }

  /** Those of agents none of whose probes is answered from a change on, by group the first ones, and when they are answered again. */
  #unansweredCalls(changeMs: number): Call[] {
    const { classes, atMs: times } = this.#changes;
    const byGroup = new Map<number, Call[]>();
    for (const [nodeClass, members] of classes.members.entries()) {
      const channel = hostChannels.find(
        (one) => this.#hearing.unansweredSinceMs(nodeClass, one, changeMs) === changeMs,
      );
      const group = this.#hearing.groupOf(nodeClass, changeMs);
      if (channel === undefined || group === -1) continue;
      const { nodes, intervalMs, timeoutMs } = this.#probes;
      const lostMs = Math.min(unansweredPaths / nodes, 1) * (intervalMs[channel] ?? 0) + timeoutMs;
      const calls = members.map((witness): Call => {
        const share = this.#probes.share(witness, witness, unansweredPurpose);
        return { witness, changeMs, atMs: changeMs + lostMs + unansweredAfterMs(share, nodes) };
      });
      byGroup.set(group, [...(byGroup.get(group) ?? []), ...calls]);
    }
    return [...byGroup].flatMap(([group, all]) => {
      if (this.toldOf(changeMs, group).length >= manyNodes) return [];
      const calls = all.sort((a, b) => a.atMs - b.atMs);
      const untilMs = (calls[manyNodes - 1]?.atMs ?? Infinity) + heardAfterMs;
      const { nodes, intervalMs } = this.#probes;
      const gapsMs = hostChannels.map((channel) => (intervalMs[channel] ?? 0) / nodes);
      const answeredMs = Math.max(...gapsMs) + answeredAfterMs;
      const endMs = (witness: number, beganMs: number) =>
        times.find(
          (ms) =>
            ms > beganMs &&
            hostChannels.every(
              (one) =>
                this.#hearing.unansweredSinceMs(classes.classOf[witness] ?? 0, one, ms) ===
                undefined,
            ),
        );
      return calls
        .filter(({ atMs }) => atMs < untilMs)
        .flatMap((call) => {
          const overMs = endMs(call.witness, changeMs);
          if (overMs === undefined) return [call];
          const end = {
            witness: call.witness,
            changeMs: overMs,
            atMs: overMs + answeredMs,
          };
          return call.atMs < overMs ? [call, end] : [];
        });
    });
  }

  #findCalls(): Call[] {
    const { classOf, members } = this.#changes.classes;
    const calls: Call[] = [];
    const told = new Set<string>();
    for (const changeMs of this.#changes.atMs) {
      calls.push(...this.#unansweredCalls(changeMs));
      const lone = [...members.keys()].flatMap((toClass): Lone[] => {
        const witness = this.#loneWitness(toClass, changeMs);
        const to = members[toClass]?.find((node) => node !== witness);
        if (witness === undefined || to === undefined) return [];
        const birth = this.#birthFor(witness, to, changeMs);
        return birth ? [{ witness, to, toClass, birth }] : [];
      });
      for (const one of lone) {
        const { witness, toClass, birth } = one;
        const key = `${witness} ${toClass}`;
        const calledMs = this.#callMs(one, lone, changeMs);
        // It calls for the end once all paths are back.
        const recoveredMs = Math.min(
          Math.max(...birth.recoveredMs.filter((ms) => ms < Infinity)),
          this.#nextTurnMs(witness, toClass, changeMs) + this.#probes.recoveryMs,
        );
        const of = this.#changes.between(classOf[witness] ?? 0, toClass).flat();
        const later = of.filter(({ atMs, isTurn }) => isTurn && atMs > changeMs);
        if (calledMs < Math.min(...later.map(({ atMs }) => atMs))) {
          told.add(key);
          this.#alone.push({ witness, toClass, calledMs });
          calls.push({ witness, changeMs, atMs: calledMs });
        } else if (recoveredMs > -Infinity && told.delete(key))
          calls.push({ witness, changeMs, atMs: recoveredMs });
      }
    }
    return calls;
  }

  /** The only agent that sees the paths to a class of nodes change then, and tells it; undefined if there are none or more. */
  #loneWitness(toClass: number, atMs: number): number | undefined {
    const { members } = this.#changes.classes;
    const to = members[toClass]?.[0];
    let witness: number | undefined;
    for (const [fromClass, observers] of members.entries()) {
      if (this.#hearing.groupOf(fromClass, atMs) === -1) continue;
      const isSeen = this.#changes
        .between(fromClass, toClass)
        .some(
          (of, channel) =>
            of.some((one) => one.atMs === atMs && one.isTurn) &&
            !this.#hearing.isDoubtful(fromClass, channel, atMs),
        );
      if (!isSeen) continue;
      const others = fromClass === toClass ? observers.filter((one) => one !== to) : observers;
      if (others.length > 1 || (witness !== undefined && others.length > 0)) return undefined;
      witness ??= others[0];
    }
    return witness;
  }

  #birthFor(from: number, to: number, atMs: number): Birth | undefined {
    const group = this.#hearing.groupOf(this.#changes.classes.classOf[from] ?? 0, atMs);
    if (group === -1) return undefined;
    const byNode = this.#births.get(atMs) ?? [];
    this.#births.set(atMs, byNode);
    const births = (byNode[to] ??= this.#findBirths(to, atMs));
    return births.get(group);
  }

  #findBirths(to: number, atMs: number): Map<number, Birth> {
    const { classOf, members } = this.#changes.classes;
    const births = new Map<number, Birth>();
    for (const [fromClass, observers] of members.entries()) {
      const changes = this.#changes.between(fromClass, classOf[to] ?? 0);
      const now = changes.map((of) => of.find((change) => change.atMs === atMs && change.isTurn));
      const group = this.#hearing.groupOf(fromClass, atMs);
      if (group === -1 || now.every((change) => change === undefined)) continue;
      const birth = births.get(group) ?? newBirth();
      births.set(group, birth);
      const tells = now.map((_, channel) => !this.#hearing.isDoubtful(fromClass, channel, atMs));
      for (const observer of observers) {
        if (observer === to) continue;
        ownLooks(this.#probes, observer, to, now, this.#looks);
        for (const [channel, change] of now.entries()) {
          if (!change || tells[channel] !== true) continue;
          const { failure } = change;
          const confirmMs =
            failure === undefined ? this.#probes.recoveryMs : this.#probes.confirmMs(failure);
          const times = failure === undefined ? birth.recoveredMs : birth.failedMs;
          times[channel] = Math.min(
            times[channel] ?? Infinity,
            (this.#looks[channel] ?? 0) + confirmMs,
          );
        }
      }
    }
    return births;
  }
}

/** Probes of hosts tell an agent that nobody answers it. */
const hostChannels = channels.flatMap(({ plane }, channel) => (plane === 'host' ? channel : []));

function newBirth(): Birth {
  return {
    failedMs: new Float64Array(4).fill(Infinity),
    recoveredMs: new Float64Array(4).fill(Infinity),
  };
}
