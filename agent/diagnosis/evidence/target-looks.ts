import { planes } from '../../model/path.js';
import {
  maxTargets,
  targetNamePattern,
  type RowTarget,
  type RowTargetState,
} from '../../model/target.js';
import type { Row } from '../../model/row.js';
import type { FailureKind } from '../../model/failure.js';
import type { Protocol } from '../../model/sample.js';

/** What a node said of a target on a plane. */
export const lookStates = ['none', 'reachable', 'unreachable', 'lossy', 'slow'] as const;
export type LookState = (typeof lookStates)[number];

const codes: Readonly<Record<RowTargetState, number>> = {
  unknown: 0,
  reachable: 1,
  unreachable: 2,
  lossy: 3,
  slow: 4,
};

/** What is said of a look that is not simply well. */
export interface LookDetail {
  readonly failure: FailureKind | undefined;
  /** Of several DNS servers, those that fail, as the bits of their numbers. */
  readonly servers: number;
}

/**
 * What fresh rows say of one definition of a target. A look is what one node says of it from one
 * plane; its slot is twice the number of the node, and one more on the endpoint plane.
 */
export interface TargetLooks {
  readonly name: string;
  readonly digest: number;
  /** How many observers probe it. */
  observers: number;
  /** The planes that it is probed from, as bits: 1 the host, 2 the endpoint. */
  planes: number;
  /** Some look is not well. */
  hasTrouble: boolean;
  /** By slot: a number of `lookStates`. */
  readonly states: Uint8Array;
  /** By slot: seconds in that state. */
  readonly ageS: Float32Array;
  /** By slot: seconds since it was probed last. */
  readonly probedS: Float32Array;
  /** By slot: how many DNS servers are asked there, and the digest of their list; 0 where it is not told. */
  readonly serverCounts: Uint8Array;
  readonly serverLists: Uint32Array;
  readonly details: Map<number, LookDetail>;
  /** By the number of a node: what it cannot send. */
  readonly notSending: Map<number, readonly Protocol[]>;
}

/** So many targets are kept at most, and so many definitions of each: agents differ for a moment only. */
const [mostNames, mostDefinitions] = [2 * maxTargets, 4];

/** The work between two yields. */
const rowsInSlice = 100;

/** What one row says of targets. */
interface Said {
  readonly node: number;
  readonly row: Pick<Row, 'targets' | 'health'>;
  readonly bodyAgeS: number;
}

/** Failing servers above this number are not told apart. */
const mostServers = 16;

/** Collects what rows say of targets, each definition for itself. */
export class TargetLooksList {
  readonly #size: number;
  readonly #byName = new Map<string, TargetLooks[]>();
  readonly #inOrder: TargetLooks[] = [];
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
    for (const { target, state, failingServers } of row.targets ?? []) {
      if (state === 'reachable' && failingServers === undefined) continue;
      if (state !== 'unknown') this.#troubled.add(target);
    }
  }

  /** The definitions of which some look is not well. Those that most observers have come first. */
  *troubled(): Generator<void, readonly TargetLooks[]> {
    if (this.#troubled.size === 0) return [];
    for (const [at, said] of this.#said.splice(0).entries()) {
      if (at % rowsInSlice === 0) yield;
      this.#read(said);
    }
    const found = this.#inOrder.filter(({ hasTrouble }) => hasTrouble);
    return found.sort(
      (a, b) =>
        b.observers - a.observers ||
        (a.name < b.name ? -1 : Number(a.name > b.name)) ||
        a.digest - b.digest,
    );
  }

  /** Reads what a row says. Of two entries about one plane of a target the first one counts. */
  #read({ node, row: { targets, health }, bodyAgeS }: Said): void {
    let guess = 0;
    for (const said of targets ?? []) {
      if (!this.#troubled.has(said.target)) continue;
      const at = this.#find(said, guess);
      const looks = this.#inOrder[at];
      if (!looks) continue;
      guess = at;
      if (!isNoted(looks, node)) looks.observers++;
      if (health.notSending.length > 0) looks.notSending.set(node, health.notSending);
      noteLook(looks, node, said, bodyAgeS);
    }
  }

  /** The place of a definition; -1 if there is no room for it. Rows mostly have them in one order. */
  #find(said: RowTarget, guess: number): number {
    for (let at = guess; at < guess + 2; at++) {
      const looks = this.#inOrder[at];
      if (looks?.digest === said.digest && looks.name === said.target) return at;
    }
    const known = this.#byName.get(said.target) ?? [];
    const found = known.find(({ digest }) => digest === said.digest);
    if (found) return this.#inOrder.indexOf(found);
    if (known.length >= mostDefinitions || !targetNamePattern.test(said.target)) return -1;
    if (known.length === 0 && this.#byName.size >= mostNames) return -1;
    const looks = noLooks(said, 2 * this.#size);
    known.push(looks);
    this.#byName.set(said.target, known);
    return this.#inOrder.push(looks) - 1;
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

function noLooks({ target: name, digest }: RowTarget, slots: number): TargetLooks {
  return {
    name,
    digest,
    observers: 0,
    planes: 0,
    hasTrouble: false,
    states: new Uint8Array(slots),
    ageS: new Float32Array(slots),
    probedS: new Float32Array(slots).fill(-1),
    serverCounts: new Uint8Array(slots),
    serverLists: new Uint32Array(slots),
    details: new Map(),
    notSending: new Map(),
  };
}

function isNoted({ probedS }: TargetLooks, node: number): boolean {
  return (probedS[2 * node] ?? 0) >= 0 || (probedS[2 * node + 1] ?? 0) >= 0;
}

function noteLook(looks: TargetLooks, node: number, said: RowTarget, bodyAgeS: number): void {
  const { plane, state, ageSeconds, probedSeconds, failure, failingServers, servers: asked } = said;
  const slot = 2 * node + planes.indexOf(plane);
  if ((looks.probedS[slot] ?? 0) >= 0) return;
  looks.planes |= 1 << (slot & 1);
  looks.states[slot] = codes[state];
  looks.ageS[slot] = Math.max(ageSeconds, 0) + bodyAgeS;
  looks.probedS[slot] = Math.max(probedSeconds, 0) + bodyAgeS;
  looks.serverCounts[slot] = asked?.count ?? 0;
  looks.serverLists[slot] = asked?.digest ?? 0;
  if (state === 'unknown') return;
  if (state === 'reachable' && failingServers === undefined) return;
  looks.hasTrouble = true;
  let servers = 0;
  for (const server of failingServers ?? []) {
    if (server >= 0 && server < mostServers) servers |= 1 << server;
  }
  looks.details.set(slot, { failure, servers });
}
