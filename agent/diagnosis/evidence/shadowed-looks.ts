import { planes } from '../../model/path.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { Shadow, Shadows, Silence, Silences } from '../nouns/memory.js';
import { paced } from '../nouns/steps.js';
import type { StaleRow } from './observations.js';
import type { LooksBesidePaths } from './explained-by-paths.js';
import type { TargetLooks } from './target-looks.js';

/** Whether a look tells something, nothing at all, or nothing before the node has looked again. */
export type LookSays = 'counts' | 'nothing' | 'waits';

/** A shadow is forgotten after this time. With many nodes it takes that long until all have looked again. */
const keptMs = 30 * 60_000;
/** The work between two yields, in nodes. */
const slice = 2000;

/**
 * The looks that say nothing of a target because of a fault of paths. What failed in the shadow of such a fault stays in it
 * when that is over, until the node has looked again: its next turn may be long after the repair. So does what began to fail
 * while its row did not come: an agent that was cut off does not know who else was.
 */
export class ShadowedLooks {
  readonly #input: Pick<DiagnosisInput, 'index' | 'now'>;
  readonly #shadows = new Map<string, Shadow>();
  readonly #silences = new Map<string, Silence>();

  private constructor(input: Pick<DiagnosisInput, 'index' | 'now'>) {
    this.#input = input;
  }

  /**
   * @param explained the slots from which every look is explained by a fault of paths
   * @param stale the observers whose rows are too old to count
   */
  static *of(
    { index, now, previous }: Pick<DiagnosisInput, 'index' | 'now' | 'previous'>,
    explained: Iterable<number>,
    stale: Iterable<Pick<StaleRow, 'node' | 'ageMs'>>,
  ): Generator<void, ShadowedLooks> {
    const shadowed = new ShadowedLooks({ index, now });
    const isEnough = paced(slice);
    for (const [key, shadow] of previous?.shadows ?? []) {
      if (!shadow.isOver) shadowed.#shadows.set(key, { toMs: now, isOver: true });
      else if (now - shadow.toMs < keptMs) shadowed.#shadows.set(key, shadow);
      if (isEnough(1)) yield;
    }
    for (const slot of explained) {
      shadowed.#shadows.set(shadowed.#placeOf(slot), { toMs: now, isOver: false });
      if (isEnough(1)) yield;
    }
    for (const [name, silence] of previous?.silences ?? []) {
      if (now - silence.toMs < keptMs) shadowed.#silences.set(name, silence);
      if (isEnough(1)) yield;
    }
    for (const { node, ageMs } of stale) {
      shadowed.#silences.set(shadowed.#nameOf(node), { fromMs: now - ageMs, toMs: now });
      if (isEnough(1)) yield;
    }
    return shadowed;
  }

  /** For the next run. */
  get shadows(): Shadows {
    return this.#shadows;
  }

  /** For the next run. */
  get silences(): Silences {
    return this.#silences;
  }

  /**
   * Says whether a look counts. One that does not count now does not; one that failed in a shadow, and does no more, waits
   * until the node looks again.
   */
  at(looks: TargetLooks, besidePaths: LooksBesidePaths): (slot: number) => LookSays {
    const { counts } = besidePaths;
    const shadowed = new Set<number>();
    for (const slot of looks.details.keys()) {
      if (looks.stateAt(slot) === 'unreachable' && this.#isShadowed(looks, slot, besidePaths))
        shadowed.add(slot);
    }
    return (slot) => (!counts(slot) ? 'nothing' : shadowed.has(slot) ? 'waits' : 'counts');
  }

  #isShadowed(looks: TargetLooks, slot: number, { counts, isRefuted }: LooksBesidePaths): boolean {
    const { now } = this.#input;
    const place = this.#placeOf(slot);
    const key = `${place} ${looks.name} ${looks.digest}`;
    if (!counts(slot)) {
      this.#shadows.set(key, { toMs: now, isOver: false });
      return true;
    }
    if (isRefuted(slot)) this.#shadows.delete(key);
    const lastMs = Math.max(
      this.#shadows.get(place)?.toMs ?? -Infinity,
      this.#shadows.get(key)?.toMs ?? -Infinity,
    );
    return now - 1000 * (looks.probedS[slot] ?? 0) <= lastMs || this.isFromSilence(looks, slot);
  }

  /** Whether a failing look is of a time in which the row of its node did not come. */
  isFromSilence(looks: TargetLooks, slot: number): boolean {
    const silence = this.#silences.get(this.#nameOf(slot >> 1));
    if (!silence || looks.stateAt(slot) !== 'unreachable') return false;
    const { now } = this.#input;
    const beganMs = now - 1000 * (looks.ageS[slot] ?? 0);
    const lookedMs = now - 1000 * (looks.probedS[slot] ?? 0);
    return beganMs >= silence.fromMs && lookedMs <= silence.toMs;
  }

  #placeOf(slot: number): string {
    return `${planes[slot & 1] ?? ''} ${this.#nameOf(slot >> 1)}`;
  }

  #nameOf(node: number): string {
    return this.#input.index.nodes[node]?.name ?? '';
  }
}
