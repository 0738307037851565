import { findingSubject } from '../../api/schema/v1/finding-subject.js';
import type { Finding } from '../../api/schema/v1/findings.js';
import { rememberedMs } from './ledger.js';

/** A finding is over when it is gone for so long; one that came again, twice as long each time. */
const firstHoldMs = 60_000;
const longestHoldMs = 16 * firstHoldMs;

/** A finding, as this agent sees it from its opening to the end. Times are monotonic milliseconds. */
export interface WatchedFinding {
  /** As it was last seen. */
  readonly finding: Finding;
  /** As it was before, where its kind, subject or severity was another: the newest first. */
  readonly earlier: readonly Finding[];
  /** The zones that it is about; empty: the whole cluster. */
  readonly zones: readonly string[];
  /** When this agent saw it come first. */
  readonly cameMs: number;
  /** When it began, as its `since` said when that was new: a clock that is set later does not move it. */
  readonly beganMs: number;
  /** Since when it has this severity. */
  readonly severityMs: number;
  /** Since when it has this kind and subject. */
  readonly namedMs: number;
  /** Since when it is gone; undefined while it is open. */
  readonly goneMs: number | undefined;
  /** How often it came. */
  readonly openings: number;
  /** It is not among the findings itself: another one stands for it and others. */
  readonly isPart: boolean;
}

/** A finding is seldom told under more names than these. */
const mostEarlier = 4;
/** What it is called for a shorter time says how it begins or ends: the first nodes that reach a target again make another kind of it. */
const nameHoldsMs = 30_000;

/** A finding that is open now. */
export interface OpenNow {
  readonly finding: Finding;
  readonly zones: readonly string[];
}

/** The findings that are open, and those that were over in the last hour. */
export class WatchedFindings {
  readonly #known = new Map<string, WatchedFinding>();
  #sinceMs = Infinity;

  /**
   * Takes the findings that are open now, worst first.
   * @param isStillPart whether a finding that is gone is told by another one, which stands for many
   */
  note(
    open: readonly OpenNow[],
    isStillPart: (finding: Finding) => boolean,
    { nowMs, wallMs }: { readonly nowMs: number; readonly wallMs: number },
  ): void {
    this.#sinceMs = Math.min(this.#sinceMs, nowMs);
    const present = new Set<string>();
    for (const { finding, zones } of open) {
      // Of what concerns its own node an agent is no judge. Others tell of it.
      if (finding.local === true) continue;
      present.add(finding.id);
      const known = this.#known.get(finding.id);
      const isSame = known?.finding.severity === finding.severity;
      const isOver = known !== undefined && nowMs >= (WatchedFindings.overMs(known) ?? Infinity);
      const cameMs = known && !isOver ? known.cameMs : nowMs;
      this.#known.delete(finding.id);
      this.#known.set(finding.id, {
        finding,
        earlier: known && !isOver ? earlierOf(finding, known) : [],
        zones,
        cameMs,
        beganMs:
          known?.finding.since === finding.since
            ? known.beganMs
            : Math.min(nowMs - (wallMs - Date.parse(finding.since)), cameMs),
        severityMs: known && isSame && !isOver ? known.severityMs : nowMs,
        namedMs: known && isNamedAlike(known.finding, finding) && !isOver ? known.namedMs : nowMs,
        goneMs: undefined,
        openings: (known?.openings ?? 0) + (known?.goneMs === undefined && known ? 0 : 1),
        isPart: false,
      });
    }
    for (const [id, known] of this.#known) {
      if (present.has(id)) continue;
      const overMs = WatchedFindings.overMs(known);
      if (isStillPart(known.finding))
        this.#known.set(id, { ...known, goneMs: undefined, isPart: true });
      else if (overMs === undefined)
        this.#known.set(id, { ...known, goneMs: nowMs, isPart: false });
      else if (nowMs - overMs > rememberedMs) this.#known.delete(id);
    }
  }

  /** Since when this agent watches, in monotonic milliseconds. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  get(id: string): WatchedFinding | undefined {
    return this.#known.get(id);
  }

  /** All of them: those that are open now come last, worst first. */
  all(): readonly WatchedFinding[] {
    return [...this.#known.values()];
  }

  /** When a finding that is gone is over, as far as one can tell; undefined while it is open. */
  static overMs({ goneMs, openings }: WatchedFinding): number | undefined {
    const holdMs = Math.min(firstHoldMs * 2 ** (openings - 1), longestHoldMs);
    return goneMs === undefined ? undefined : goneMs + holdMs;
  }
}

/** How long ago it began, or ended, in milliseconds. */
export function troubleMs({ goneMs, beganMs }: WatchedFinding, nowMs: number): number {
  return nowMs - (goneMs ?? beganMs);
}

/** The same, with the former name where it has the present one for a moment only. */
export function asNamedLong(watched: WatchedFinding, nowMs: number): WatchedFinding {
  const { finding, earlier, namedMs, goneMs = nowMs } = watched;
  const former = earlier.find((one) => !isNamedAlike(one, finding));
  if (!former || goneMs - namedMs >= nameHoldsMs) return watched;
  return { ...watched, finding: former, earlier: [finding, ...earlier] };
}

function earlierOf(now: Finding, { finding, earlier }: WatchedFinding): readonly Finding[] {
  return [finding, ...earlier].filter((one) => !isCalledAlike(one, now)).slice(0, mostEarlier);
}

function isCalledAlike(a: Finding, b: Finding): boolean {
  return a.severity === b.severity && isNamedAlike(a, b);
}

function isNamedAlike(a: Finding, b: Finding): boolean {
  return a.kind === b.kind && findingSubject(a) === findingSubject(b);
}
