import type { Fault } from '../model/sample.js';

export type Family = 4 | 6;

/** For this long, a family that could not be used is not tried again. */
const retryAfterMs = 5000;

/**
 * Remembers for some seconds which address families this host lacks: a try costs more than a probe.
 */
export class MissingFamilies {
  readonly #missing = new Map<Family, { readonly fault: Fault; readonly untilMs: number }>();

  /** The result of every probe of that family for now. Undefined if the family may be tried. */
  faultOf(family: Family): Fault | undefined {
    const known = this.#missing.get(family);
    return known && known.untilMs > performance.now() ? known.fault : undefined;
  }

  add(family: Family, fault: Fault): void {
    this.#missing.set(family, { fault, untilMs: performance.now() + retryAfterMs });
  }
}
