import type { Row } from '../model/row.js';
import type { Clock } from '../platform/clock.js';
import { runOnClock, type Steps } from '../platform/time-slices.js';
import type { ZoneOf } from './named-nodes.js';
import { boundRowInSteps } from './row/build-row.js';

/** The work on the own row that is done at a stretch, in milliseconds. */
const sliceMs = 2;

/** This agent's own row as it was at one moment. */
export interface PreparedRow {
  /** Of all its paths, however many are not well. */
  readonly row: Row;
  /** The row that peers get: bounded to the nodes that all agents choose. */
  readonly sent: Row;
  /** When it was made, in monotonic milliseconds: the ages in it count from then. */
  readonly writtenMs: number;
}

export interface OwnRowOptions {
  readonly clock: Clock;
  readonly build: () => Steps<Row>;
  /** The row before the first one is ready: it tells of no path. */
  readonly empty: () => Row;
  readonly zoneOf: ZoneOf;
}

/**
 * Keeps this agent's own row ready. With thousands of nodes it takes too long to build it when it
 * is asked for, so it is built in slices, and the last one serves meanwhile.
 */
export class OwnRow {
  readonly #options: OwnRowOptions;
  #prepared: PreparedRow;
  #isEmpty = true;
  #isBuilding = false;
  #cancelBuild: (() => void) | undefined;

  constructor(options: OwnRowOptions) {
    this.#options = options;
    const empty = options.empty();
    this.#prepared = { row: empty, sent: empty, writtenMs: options.clock.nowMs() };
  }

  /** Builds the row anew, step by step: it is of the time when it is complete. */
  *prepare(): Steps<void> {
    const { clock, build, zoneOf } = this.#options;
    const writtenMs = clock.nowMs();
    const row = yield* build();
    const sent = yield* boundRowInSteps(row, { zoneOf });
    // One that was begun later may be complete already.
    if (writtenMs < this.#prepared.writtenMs) return;
    this.#isEmpty = false;
    this.#prepared = { row, sent, writtenMs };
  }

  /** The row that was prepared last. */
  get prepared(): PreparedRow {
    return this.#prepared;
  }

  /**
   * The row, built anew if it is older than that. What takes longer than a slice goes on in the
   * background, and the last row serves meanwhile.
   */
  latest(maxAgeMs = 0): PreparedRow {
    const { clock } = this.#options;
    const ageMs = clock.nowMs() - this.#prepared.writtenMs;
    if (ageMs < maxAgeMs && !this.#isEmpty) return this.#prepared;
    if (!this.#isBuilding) this.#build();
    return this.#prepared;
  }

  stop(): void {
    this.#cancelBuild?.();
    this.#isBuilding = false;
  }

  #build(): void {
    const { clock } = this.#options;
    this.#isBuilding = true;
    const onDone = (): void => void (this.#isBuilding = false);
    this.#cancelBuild = runOnClock(this.prepare(), { clock, sliceMs }, onDone);
  }
}
