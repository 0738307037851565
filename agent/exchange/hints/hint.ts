import type { Plane } from '../../model/path.js';
import type { Protocol } from '../../model/sample.js';

/** In which way a path has changed: to unreachable, or back. */
export type HintChange = 'failure' | 'recovery';

/** What a hint is about: the primary address of a node on a plane, by one protocol. */
export interface HintSubject {
  readonly node: string;
  readonly plane: Plane;
  readonly protocol: Protocol;
}

/** One agent telling another: probe this path soon. It never changes a state. */
export interface Hint extends HintSubject {
  readonly change: HintChange;
  /**
   * How long ago the change was seen, in milliseconds. Clocks of two hosts differ, so no time of
   * day is sent.
   */
  readonly ageMs: number;
  /** The sender has seen the change itself and does not only pass it on. */
  readonly isWitness: boolean;
}

/**
 * A hint may be passed on for this long after the change was seen. By then every agent has heard
 * it.
 */
export const hintLifetimeMs = 6000;

/** A hint of this age is refused: its sender ignores the lifetime. */
export const maxHintAgeMs = 10_000;

/** At most so many hints go with one request or answer. */
export const maxHintsPerMessage = 32;

/** A text that is the same for the same subject, and for no other. */
export function hintKey({ node, plane, protocol }: HintSubject): string {
  return `${node} ${plane} ${protocol}`;
}
