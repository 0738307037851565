import { channels, type Channel } from '../../../agent/model/channel.js';
import { nameHash } from '../../../agent/model/name-hash.js';
import { boundRow } from '../../../agent/peers/row/build-row.js';
import { maxRowNodes, type Row, type RowList } from '../../../agent/model/row.js';
import { listOf } from '../../../agent/model/row-coverage.js';
import type { Random } from '../../fuzz/random.js';
import { makeRow, pathsTo, type PathTold } from '../../rows/make-row.js';
import {
  confirmS,
  hasAddress,
  httpIntervalS,
  icmpIntervalS,
  lossWindowS,
  timeoutS,
  type Conditions,
  type ListDifference,
} from './scenarios/conditions.js';
import type { History, ProbedPath } from './history.js';
import { testFlows, type SuspectPath } from './flow-writer.js';
import { loseGets } from './http-losses.js';
import { binomial } from './random-numbers.js';
import { isLossy, NoiseSource, wrongReport } from './row-noise.js';

/** The number of late answers in a row that make a path slow. */
const slowSamples = 20;

/** Writes the rows of all observers of one cluster, with noise. */
export class RowWriter {
  readonly #conditions: Conditions;
  readonly #history: History;
  readonly #random: Random;
  readonly #noise: NoiseSource;
  readonly #hashes: readonly number[];
  readonly #endpoints: number;
  /** The channels that were reported wrongly, one bit each, by `observer,target`. */
  readonly wrongReports = new Map<string, number>();
  /** The list of an observer that knows the same nodes as the local one. */
  readonly #list: RowList;

  constructor(conditions: Conditions, history: History, random: Random) {
    this.#conditions = conditions;
    this.#history = history;
    this.#random = random;
    this.#noise = new NoiseSource(conditions, random);
    this.#hashes = conditions.names.map(nameHash);
    this.#endpoints = conditions.names.filter((_, node) =>
      hasAddress(conditions, 'endpoint', node),
    ).length;
    this.#list = listOf(this.#hashes);
  }

  /**
   * The row of an observer as it was this many seconds ago.
   * @param talks it also names the unreachable nodes whose own GETs still reach it
   * @param mostNodes the limit of nodes that it names
   */
  write(observer: number, agoS: number, talks: boolean, mostNodes = maxRowNodes): Row {
    const { names } = this.#conditions;
    const difference = this.#conditions.listOf?.(observer);
    const told = this.#notWell(observer, agoS, difference);
    const goneNames = difference?.gone ?? [];
    const nameOf = (target: number) => names[target] ?? goneNames[target - names.length] ?? '';
    const paths = [...told].flatMap(([target, states]) =>
      pathsTo(nameOf(target), (_, number) => states[number]),
    );
    const isHeard = (node: number) =>
      node < names.length && this.#history.mutedS(node, observer) === undefined;
    const row = makeRow(nameOf(observer), paths, this.#pathsOn(observer, difference), {
      list: this.#listOf(difference),
      ...(talks && { heard: [...told.keys()].filter(isHeard).map(nameOf) }),
    });
    return boundRow(row, { mostNodes });
  }

  #listOf(difference: ListDifference | undefined): RowList {
    if (!difference) return this.#list;
    const known = this.#hashes.filter((_, node) => !difference.lacks.has(node));
    return listOf([...known, ...difference.gone.map(nameHash)]);
  }

  /** How many paths an observer has on a channel. */
  #pathsOn(observer: number, difference: ListDifference | undefined) {
    const { names } = this.#conditions;
    const lacking = [...(difference?.lacks ?? [])];
    const gone = difference?.gone.length ?? 0;
    return ({ plane }: Channel): number => {
      const all = plane === 'host' ? names.length : this.#endpoints;
      const without = [observer, ...lacking].filter((node) =>
        hasAddress(this.#conditions, plane, node),
      ).length;
      return all - without + gone;
    };
  }

  /** For each target that is not well, what is told of it by channel. */
  #notWell(observer: number, agoS: number, difference: ListDifference | undefined): Told {
    const { names } = this.#conditions;
    // The row cannot contain faults that began later.
    const begun = this.#history.before(agoS);
    const { wrong, stray } = this.#noise.next();
    const touched = begun.touchedBy(observer);
    const told: Told = new Map();
    const suspects: SuspectPath[] = [];
    const look = (target: number): void => {
      if (target === observer || told.has(target) || difference?.lacks.has(target)) return;
      const touching = begun.between(observer, target);
      const states = channels.map((channel, number) => {
        if (!hasAddress(this.#conditions, channel.plane, target)) return undefined;
        const truth =
          (touching &&
            this.#stateOf({ from: observer, to: target, ...channel }, touching, agoS, (suspect) =>
              suspects.push({ ...suspect, key: 4 * target + number }),
            )) ??
          stray.get(4 * target + number);
        return ((wrong.get(target) ?? 0) >> number) & 1 ? wrongReport(truth, this.#random) : truth;
      });
      if (states.some((state) => state !== undefined))
        told.set(target, this.#withAnswers(states, begun, observer, target));
      const wrongly = wrong.get(target);
      if (wrongly !== undefined) this.wrongReports.set(`${observer},${target}`, wrongly);
    };
    for (const target of touched ?? names.keys()) look(target);
    if (touched) {
      for (const target of wrong.keys()) look(target);
      for (const path of stray.keys()) look(path >> 2);
    }
    this.#testFlows(told, suspects, agoS);
    for (const at of difference?.gone.keys() ?? []) {
      told.set(
        names.length + at,
        channels.map(() => goneState),
      );
    }
    return told;
  }

  /** Of each path that fails, which others of that node were probed since and answered. */
  #withAnswers(
    states: (PathTold | undefined)[],
    begun: History,
    observer: number,
    target: number,
  ): (PathTold | undefined)[] {
    /** When each path that works was probed last, in seconds before the row. */
    const probedS = channels.map((channel, number) => {
      if (!hasAddress(this.#conditions, channel.plane, target)) return Infinity;
      if (begun.failure({ from: observer, to: target, ...channel })) return Infinity;
      const intervalS = channel.protocol === 'icmp' ? icmpIntervalS : httpIntervalS;
      return (intervalS * nameHash(`${observer} ${target} ${number}`)) / 2 ** 32;
    });
    return states.map((told) => {
      if (told?.state !== 'unreachable') return told;
      const failedS = told.ageSeconds + confirmS + (told.failure === 'timeout' ? timeoutS : 0);
      let mask = 0;
      for (const [number, s] of probedS.entries())
        if (s < failedS && states[number]?.state !== 'unreachable') mask |= 1 << number;
      return mask === 0 ? told : { ...told, answeredSince: mask };
    });
  }

  /** A path of which some flows never pass loses probes, and its row says so. */
  #testFlows(told: Told, suspects: readonly SuspectPath[], agoS: number): void {
    const found = testFlows(suspects, this.#conditions.names.length, agoS, this.#random);
    for (const [key, { flows, agoS: testedS }] of found) {
      const [target, channel] = [key >> 2, key & 3];
      const states = told.get(target) ?? channels.map(() => undefined);
      const { state = 'lossy', ageSeconds = Math.round(testedS), lost } = states[channel] ?? {};
      if (state !== 'lossy') continue;
      states[channel] = { state, ageSeconds, flows, ...(lost && { lost }) };
      told.set(target, states);
    }
  }

  /** The state of a path at its observer this many seconds ago, when `begun` had begun. */
  #stateOf(
    path: ProbedPath,
    begun: History,
    agoS: number,
    onSuspect: (suspect: Omit<SuspectPath, 'key'>) => void,
  ): PathTold | undefined {
    const random = this.#random;
    const intervalS = path.protocol === 'icmp' ? icmpIntervalS : httpIntervalS;
    const failure = begun.failure(path);
    if (failure !== undefined) {
      const { kind, sinceS } = failure;
      // A hint may only bring the first probe forward, so this delay is the longest.
      const delayS = random.next() * intervalS + confirmS + (kind === 'timeout' ? timeoutS : 0);
      const ageSeconds = Math.round(sinceS - agoS - delayS);
      if (sinceS - agoS <= delayS) return undefined;
      return { state: 'unreachable', ageSeconds, failure: kind };
    }
    const slowS = begun.slowSinceS(path);
    if (slowS !== undefined) {
      const ageS = slowS - agoS - slowSamples * intervalS;
      if (ageS <= 0 || random.next() >= 0.95) return undefined;
      return { state: 'slow', ageSeconds: Math.round(ageS) };
    }
    const losses = begun.losses(path);
    if (losses.length === 0) return undefined;
    if (this.#conditions.hasFlowTests === true && path.protocol === 'http') {
      const { state, ageS, suspectS, lost } = loseGets(losses, agoS, random);
      if (suspectS !== undefined) onSuspect({ losses, suspectS });
      const ageSeconds = Math.round(ageS);
      if (state === 'unreachable') return { state, ageSeconds, failure: 'timeout' };
      return state === 'lossy' ? { state, ageSeconds, lost } : undefined;
    }
    let [lost, oldestS] = [0, 0];
    for (const { share, sinceS } of losses) {
      const lossyS = Math.min(sinceS - agoS, lossWindowS);
      lost += binomial(Math.round(lossyS / intervalS), share, random);
      oldestS = Math.max(oldestS, lossyS);
    }
    if (!isLossy(lost, lossWindowS / intervalS)) return undefined;
    return { state: 'lossy', ageSeconds: Math.round(0.8 * oldestS), lost };
  }
}

/** For some targets, what is told of them by channel. */
type Told = Map<number, (PathTold | undefined)[]>;

/** What an old list says of a node that is gone. */
const goneState: PathTold = { state: 'unreachable', ageSeconds: 900, failure: 'timeout' };
