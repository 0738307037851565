import type { Candidate } from './build-finding.js';
import type { FindingMemory, LastOpen } from './diagnosis-input.js';
import type { Finding } from './finding.js';
import { haveSameSubject, isCovered, subjectsOf, type ZoneOf } from './replaced-by.js';

/** If at most this share of a finding's paths still fails, it is recovering. */
const recoveringShare = 2 / 3;

export interface GoneFindingsOptions {
  readonly candidates: readonly Candidate[];
  readonly memory: Iterable<readonly [id: string, memory: FindingMemory]>;
  /** Epoch milliseconds. */
  readonly now: number;
  /** For how long old rows may still report paths of a finding that is gone, in milliseconds. */
  readonly residualMs: number;
  readonly zoneOf: ZoneOf;
}

/**
 * The findings that were open a short time ago, and are closed or not seen any more. There may be a
 * hundred of them beside a hundred candidates, so they are kept by subject.
 */
export class GoneFindings {
  readonly #zoneOf: ZoneOf;
  readonly #residualMs: number;
  readonly #bySubject = new Map<string, LastOpen[]>();
  /** Those about the whole cluster or zones. */
  readonly #wide: LastOpen[] = [];
  readonly #recovering = new Set<LastOpen>();

  constructor({ candidates, memory, now, residualMs, zoneOf }: GoneFindingsOptions) {
    this.#zoneOf = zoneOf;
    this.#residualMs = residualMs;
    const ids = new Set(candidates.map(({ finding }) => finding.id));
    for (const [id, { finding, lastOpen }] of memory) {
      const isOpen = finding !== undefined && ids.has(id);
      if (!isOpen && lastOpen && now - lastOpen.seenAt < residualMs) this.#add(lastOpen);
    }
    this.#findRecovering(candidates);
  }

  get isEmpty(): boolean {
    return this.#bySubject.size === 0 && this.#wide.length === 0;
  }

  /** Whether a finding only gets another name, because more is known of its subject. */
  hasSameSubject(finding: Finding): boolean {
    const last = this.#bySubject.get(subjectsOf(finding)[0] ?? '') ?? [];
    return last.some(
      (one) =>
        one.finding.id !== finding.id &&
        one.finding.severity === finding.severity &&
        haveSameSubject(one.finding, finding),
    );
  }

  /**
   * A new finding may only be what old rows still report of one that recovers. Returns until when
   * that is possible, in epoch milliseconds; 0 if it is not.
   */
  residualUntil(finding: Finding): number {
    const recovering = this.#enclosing(finding).filter((last) => this.#recovering.has(last));
    return recovering.reduce((until, { seenAt }) => Math.max(until, seenAt + this.#residualMs), 0);
  }

  #add(last: LastOpen): void {
    const { finding } = last;
    for (const subject of subjectsOf(finding)) {
      const known = this.#bySubject.get(subject);
      if (known) known.push(last);
      else this.#bySubject.set(subject, [last]);
    }
    if (finding.node === undefined && finding.pair === undefined) this.#wide.push(last);
  }

  /** A finding recovers if most of its paths work again. */
  #findRecovering(candidates: readonly Candidate[]): void {
    const explains = new Map<LastOpen, number>();
    for (const { finding } of candidates) {
      for (const last of this.#enclosing(finding)) {
        explains.set(last, (explains.get(last) ?? 0) + finding.explains);
      }
    }
    for (const [last, left] of explains) {
      if (left <= recoveringShare * last.mostExplained) this.#recovering.add(last);
    }
  }

  /** The gone findings that may have explained paths of this one: it began before they went away. */
  #enclosing(finding: Finding): LastOpen[] {
    if (this.isEmpty || finding.severity !== 'broken') return [];
    const sinceAt = Date.parse(finding.since);
    const enclosing = new Set(
      subjectsOf(finding).flatMap((subject) => this.#bySubject.get(subject) ?? []),
    );
    for (const last of this.#wide) {
      if (isCovered(finding, [last.finding], this.#zoneOf)) enclosing.add(last);
    }
    return [...enclosing].filter(
      (last) => last.finding.severity === 'broken' && sinceAt <= last.seenAt,
    );
  }
}
