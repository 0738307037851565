import { planes } from '../../model/path.js';
import type { DiagnosisInput } from '../diagnosis-input.js';
import type { LooksBesidePaths } from './explained-by-paths.js';
import { lookStates, type TargetLooks } from './target-looks.js';

/**
 * What faults of paths explained, and when they did so last, in monotonic milliseconds: all looks of a node from a plane, or
 * one look of it.
 */
export type Shadows = ReadonlyMap<string, number>;

/** A shadow is forgotten after this time. With many nodes it takes that long until all have looked again. */
const keptMs = 30 * 60_000;
/** The work between two yields, in nodes. */
const slice = 2000;

/**
 * The looks that say nothing of a target because of a fault of paths. What failed in the shadow of such a fault stays in it
 * when that is over, until the node has looked again: its next turn may be long after the repair.
 */
export class ShadowedLooks {
  readonly #input: Pick<DiagnosisInput, 'index' | 'now'>;
  readonly #shadows: Map<string, number>;

  private constructor(input: Pick<DiagnosisInput, 'index' | 'now'>, shadows: Map<string, number>) {
    this.#input = input;
    this.#shadows = shadows;
  }

  /** @param explained the slots from which every look is explained by a fault of paths */
  static *of(
    { index, now, previous }: Pick<DiagnosisInput, 'index' | 'now' | 'previous'>,
    explained: Iterable<number>,
  ): Generator<void, ShadowedLooks> {
    const shadows = new Map<string, number>();
    let work = 0;
    for (const [key, lastMs] of previous?.shadows ?? []) {
      if (now - lastMs < keptMs) shadows.set(key, lastMs);
      if (++work % slice === 0) yield;
    }
    const shadowed = new ShadowedLooks({ index, now }, shadows);
    for (const slot of explained) {
      shadows.set(shadowed.#placeOf(slot), now);
      if (++work % slice === 0) yield;
    }
    return shadowed;
  }

  /** For the next run. */
  get shadows(): Shadows {
    return this.#shadows;
  }

  /** Says whether a look counts: those that do not count now, and those that failed in a shadow, do not. */
  at(looks: TargetLooks, besidePaths: LooksBesidePaths): (slot: number) => boolean {
    const { counts } = besidePaths;
    const shadowed = new Set<number>();
    for (const [slot, state] of looks.states.entries()) {
      if (lookStates[state] === 'unreachable' && this.#isShadowed(looks, slot, besidePaths))
        shadowed.add(slot);
    }
    return (slot) => !shadowed.has(slot) && counts(slot);
  }

  #isShadowed(looks: TargetLooks, slot: number, { counts, isRefuted }: LooksBesidePaths): boolean {
    const { now } = this.#input;
    const place = this.#placeOf(slot);
    const key = `${place} ${looks.name} ${looks.digest}`;
    if (!counts(slot)) {
      this.#shadows.set(key, now);
      return true;
    }
    if (isRefuted(slot)) this.#shadows.delete(key);
    const lastMs = Math.max(
      this.#shadows.get(place) ?? -Infinity,
      this.#shadows.get(key) ?? -Infinity,
    );
    return now - 1000 * (looks.probedS[slot] ?? 0) <= lastMs;
  }

  #placeOf(slot: number): string {
    return `${planes[slot & 1] ?? ''} ${this.#input.index.nodes[slot >> 1]?.name ?? ''}`;
  }
}
