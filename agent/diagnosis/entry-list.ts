import { failureKinds, type FailureKind } from '../model/failure.js';
import type { RowPath } from '../model/row.js';

/** The meaning of the numbers in `failures`; 0 is none. */
export const failureCodes: readonly (FailureKind | undefined)[] = [undefined, ...failureKinds];

const codeOf = new Map(failureCodes.map((failure, code) => [failure, code]));

/** The entries, in arrays that grow. */
export class EntryList {
  size = 0;
  from = new Int32Array(256);
  to = new Int32Array(256);
  fail = new Uint8Array(256);
  lossy = new Uint8Array(256);
  slow = new Uint8Array(256);
  unknown = new Uint8Array(256);
  ageS = new Float32Array(256);
  failures = new Uint16Array(256);

  add(from: number, to: number): number {
    if (this.size === this.from.length) this.#grow();
    const entry = this.size++;
    this.from[entry] = from;
    this.to[entry] = to;
    return entry;
  }

  note(entry: number, channel: number, path: RowPath, bodyAgeS: number): void {
    const { state, ageSeconds, failure } = path;
    const masks = state === 'unreachable' ? this.fail : this[state];
    // A pair may have failing and degraded paths at once. The age is that of the failing ones.
    const isFirst =
      state === 'unreachable' ? this.fail[entry] === 0 : (this.ageS[entry] ?? 0) === 0;
    masks[entry] = (masks[entry] ?? 0) | (1 << channel);
    if (failure !== undefined) {
      const code = codeOf.get(failure) ?? 0;
      this.failures[entry] = (this.failures[entry] ?? 0) | (code << (4 * channel));
    }
    if (state === 'unknown' || (state !== 'unreachable' && (this.fail[entry] ?? 0) !== 0)) return;
    const ageS = ageSeconds + bodyAgeS;
    this.ageS[entry] = isFirst ? ageS : Math.max(this.ageS[entry] ?? 0, ageS);
  }

  #grow(): void {
    const bytes = (old: Uint8Array) => {
      const next = new Uint8Array(old.length * 2);
      next.set(old);
      return next;
    };
    const words = (old: Int32Array) => {
      const next = new Int32Array(old.length * 2);
      next.set(old);
      return next;
    };
    [this.from, this.to] = [words(this.from), words(this.to)];
    [this.fail, this.lossy, this.slow] = [bytes(this.fail), bytes(this.lossy), bytes(this.slow)];
    this.unknown = bytes(this.unknown);
    const ageS = new Float32Array(this.ageS.length * 2);
    ageS.set(this.ageS);
    this.ageS = ageS;
    const failures = new Uint16Array(this.failures.length * 2);
    failures.set(this.failures);
    this.failures = failures;
  }
}
