import { freshForMs } from '../../model/row.js';
import { subjectKey, type Subject, isWithin } from '../nouns/subject.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import { subjectOf } from '../nouns/named-cause.js';
import type { Tally } from '../evidence/tally.js';

/** A finding recovers once it explains less than this share of the paths that it explained. */
export const recoveringShare = 0.9;
/** After a finding closed, old rows may still report its paths for this long, within these bounds. */
const [leastResidueMs, mostResidueMs] = [10_000, 30_000];
/** An observer may have sent a probe this long before it knows of the answer. */
const slackMs = 1000;

/** What the last run made of a cause: whether its finding was open, and whether it was recovering. */
interface KnownClaim {
  readonly isOpen: boolean;
  readonly isRecovering: boolean;
}

/** A subject's causes of the last run, by their claims. */
export type KnownClaims = ReadonlyMap<number, KnownClaim>;

/** What the last run leaves to this one: the causes that it had, and what is left of those that closed. */
export interface Residue {
  /** The claims of a subject's causes in the last run; undefined if it had none. */
  readonly knownClaims: (subject: Subject) => KnownClaims | undefined;
  /** Whether a path is one that an old row still reports of a finding that has closed; undefined if none has. */
  readonly isLeftOver: ((entry: number, channel: number) => boolean) | undefined;
}

interface Closed {
  readonly claim: number;
  readonly agoMs: number;
  readonly subject: Subject;
}

/** Reads the memory of the last run for one trouble. */
export function residueOf(input: DiagnosisInput, tally: Tally): Residue {
  const { previous, now, index } = input;
  const { observers, observerOf, entries, own } = tally.observations;
  const known = new Map<number | string, Map<number, KnownClaim>>();
  const closed: Closed[] = [];
  const residueMs = Math.min(Math.max(own ? freshForMs(own) : 0, leastResidueMs), mostResidueMs);
  // A row that was confirmed later tells of paths that were probed again.
  const { httpIntervalMs = 0, httpTimeoutMs = 0 } = own ?? {};
  const lookAgainMs = Math.min(httpIntervalMs + httpTimeoutMs + slackMs, residueMs);
  for (const { causes, seenSinceMs, closedMs, finding, paths } of previous?.memory.values() ?? []) {
    const isClosing = closedMs !== undefined && now - closedMs < residueMs;
    if (seenSinceMs === undefined && !isClosing) continue;
    const isOpen = finding !== undefined;
    const isRecovering = isOpen && finding.explains < recoveringShare * paths;
    for (const cause of causes) {
      if (cause.trouble !== tally.trouble || cause.target !== undefined) continue;
      const subject = subjectOf(cause, index);
      if (!subject) continue;
      if (seenSinceMs !== undefined) {
        const key = keyOf(subject);
        const claims = known.get(key) ?? new Map<number, KnownClaim>();
        known.set(key, claims.set(cause.claim, { isOpen, isRecovering }));
      }
      if (!isClosing) continue;
      closed.push({ claim: cause.claim, agoMs: now - closedMs, subject });
    }
  }
  const isLeftOver = (entry: number, channel: number): boolean => {
    const from = entries.from[entry] ?? 0;
    const path: Subject = { type: 'pair', from, to: entries.to[entry] ?? 0 };
    const confirmedMs = 1000 * (observers[observerOf[from] ?? -1]?.ageS ?? 0);
    const beganMs = 1000 * tally.ageS(entry, channel);
    return closed.some(
      ({ claim, agoMs, subject }) =>
        ((claim >> channel) & 1) === 1 &&
        beganMs >= agoMs &&
        confirmedMs > agoMs - lookAgainMs &&
        isWithin(path, subject, index.zoneOf),
    );
  };
  return {
    knownClaims: (subject) => (known.size === 0 ? undefined : known.get(keyOf(subject))),
    isLeftOver: closed.length === 0 ? undefined : isLeftOver,
  };
}

/** Of a node its number: there may be thousands of them, and a text would be made for each. */
function keyOf(subject: Subject): number | string {
  return subject.type === 'node' ? subject.node : subjectKey(subject);
}
