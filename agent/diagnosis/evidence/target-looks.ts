import type { FailureKind } from '../../model/failure.js';
import { planes } from '../../model/path.js';
import type { Row } from '../../model/row.js';
import type { Protocol } from '../../model/sample.js';
import {
  isWellLook,
  maxTargets,
  rowTargetStates,
  targetNamePattern,
  type RowServers,
  type RowTarget,
  type RowTargetState,
} from '../../model/target.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/** So many targets are kept at most, and so many definitions of each: agents differ for a moment only. */
const [mostNames, mostDefinitions] = [2 * maxTargets, 4];
/** Failing servers above this number are not told apart. */
const mostServers = 16;
/** The work between two yields. */
const rowsInSlice = 100;

/** What fresh rows say of one definition of a target, by slot: twice the number of a node, and one more for its look from the endpoint plane. */
export class TargetLooks {
  readonly name: string;
  readonly digest: number;
  observers = 0;
  /** The planes that it is probed from, as bits: 1 the host, 2 the endpoint. */
  planes = 0;
  /** By slot: seconds in its state. */
  readonly ageS: Float32Array;
  /** By slot: seconds since it was probed last; -1 where nothing is said. */
  readonly probedS: Float32Array;
  /** By slot: which DNS servers are asked there; undefined where it is not told. */
  readonly asked: (RowServers | undefined)[] = [];
  /** By slot: what is not well, and of several DNS servers those that fail, as the bits of their numbers. */
  readonly details = new Map<number, { failure: FailureKind | undefined; servers: number }>();
  /** By the number of a node: what it cannot send. */
  readonly notSending = new Map<number, readonly Protocol[]>();
  /** By slot: one more than the number of the state in `rowTargetStates`. */
  readonly #states: Uint8Array;

  /** @param slots how many there are */
  constructor({ target, digest }: Pick<RowTarget, 'target' | 'digest'>, slots: number) {
    [this.name, this.digest] = [target, digest];
    this.ageS = new Float32Array(slots);
    this.probedS = new Float32Array(slots).fill(-1);
    this.#states = new Uint8Array(slots);
  }

  stateAt(slot: number): RowTargetState {
    return rowTargetStates[(this.#states[slot] ?? 0) - 1] ?? 'unknown';
  }

  /** Takes what the row of a node says. Of two entries about one plane the first one counts. */
  note(node: number, said: RowTarget, bodyAgeS: number): void {
    const { plane, state, ageSeconds, probedSeconds, failure, failingServers = [], servers } = said;
    const slot = 2 * node + planes.indexOf(plane);
    if ((this.probedS[slot] ?? 0) >= 0) return;
    if ((this.probedS[slot ^ 1] ?? 0) < 0) this.observers++;
    this.planes |= 1 << (slot & 1);
    this.#states[slot] = rowTargetStates.indexOf(state) + 1;
    this.ageS[slot] = Math.max(ageSeconds, 0) + bodyAgeS;
    this.probedS[slot] = Math.max(probedSeconds, 0) + bodyAgeS;
    if (servers && servers.count > 0) this.asked[slot] = servers;
    if (isWellLook(said)) return;
    const failing = failingServers.filter((server) => server >= 0 && server < mostServers);
    const mask = failing.reduce((bits, server) => bits | (1 << server), 0);
    this.details.set(slot, { failure, servers: mask });
  }
}

interface Said {
  readonly node: number;
  readonly row: Pick<Row, 'targets' | 'health'>;
  readonly bodyAgeS: number;
}

/** Collects what rows say of targets, each definition for itself. */
export class TargetLooksList {
  readonly #size: number;
  readonly #byName = new Map<string, Map<number, TargetLooks>>();
  readonly #said: Said[] = [];
  /** The names of targets of which some look is not well. */
  readonly #troubled = new Set<string>();

  /** @param size how many active nodes there are */
  constructor(size: number) {
    this.#size = size;
  }

  /** Takes what a row says. Mostly all is well, and then its targets are not even read. */
  add(node: number, row: Row, bodyAgeS: number, areWell: boolean): void {
    const ofTargets = targetsOnly(row);
    if (!ofTargets) return;
    this.#said.push({ node, row: ofTargets, bodyAgeS });
    if (areWell) return;
    for (const said of row.targets ?? []) if (!isWellLook(said)) this.#troubled.add(said.target);
  }

  /** The definitions of which some look is not well. Those that most observers have come first. */
  *troubled(): Generator<void, readonly TargetLooks[]> {
    if (this.#troubled.size === 0) return [];
    for (const [at, { node, row, bodyAgeS }] of this.#said.splice(0).entries()) {
      if (at % rowsInSlice === 0) yield;
      const { notSending } = row.health;
      for (const said of row.targets ?? []) {
        const looks = this.#looksOf(said);
        looks?.note(node, said, bodyAgeS);
        if (notSending.length > 0) looks?.notSending.set(node, notSending);
      }
    }
    const found = [...this.#byName.values()].flatMap((known) => [...known.values()]);
    return found
      .filter(({ details }) => details.size > 0)
      .sort(
        (a, b) =>
          b.observers - a.observers ||
          (a.name < b.name ? -1 : Number(a.name > b.name)) ||
          a.digest - b.digest,
      );
  }

  /** The looks at a definition; undefined if there is no room for it, or all is well with that target. */
  #looksOf(said: RowTarget): TargetLooks | undefined {
    const { target, digest } = said;
    const looks = this.#byName.get(target)?.get(digest);
    if (looks || !this.#troubled.has(target) || !targetNamePattern.test(target)) return looks;
    if (!this.#byName.has(target) && this.#byName.size >= mostNames) return undefined;
    const known = getOrInsert(this.#byName, target, () => new Map<number, TargetLooks>());
    if (known.size >= mostDefinitions) return undefined;
    return getOrInsert(known, digest, () => new TargetLooks(said, 2 * this.#size));
  }
}

/**
 * What a row tells of targets, unread as it is. The row of a peer is read from its bytes, so it is held as it is. Of any
 * other one the paths would stay in memory until the last row is read. Undefined where it tells of none.
 */
function targetsOnly(row: Row): Said['row'] | undefined {
  const targets = Object.getOwnPropertyDescriptor(row, 'targets');
  if (targets) return Object.defineProperty({ health: row.health }, 'targets', targets);
  return 'targets' in row ? row : undefined;
}
