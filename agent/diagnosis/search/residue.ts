import { freshForMs } from '../../model/row.js';
import type { Tally } from '../evidence/tally.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import { subjectOf } from '../nouns/named-cause.js';
import { isWithin, type Subject } from '../nouns/subject.js';

/** After a finding closed, old rows may still report its paths for this long, within these bounds. */
const [leastResidueMs, mostResidueMs] = [10_000, 30_000];
/** An observer may have sent a probe this long before it knows of the answer. */
const slackMs = 1000;

/** Whether a path is one that an old row still reports of a finding that has closed. */
export type IsLeftOver = (entry: number, channel: number) => boolean;

/** Which paths old rows still report of findings that have closed; undefined if none has. */
export function leftOver(input: DiagnosisInput, tally: Tally): IsLeftOver | undefined {
  const { previous, now, index } = input;
  const { observers, observerOf, entries, own } = tally.observations;
  const residueMs = Math.min(Math.max(own ? freshForMs(own) : 0, leastResidueMs), mostResidueMs);
  const closed: { readonly claim: number; readonly agoMs: number; readonly subject: Subject }[] =
    [];
  for (const { causes, closedMs } of previous?.memory.values() ?? []) {
    if (closedMs === undefined || now - closedMs >= residueMs) continue;
    for (const cause of causes) {
      if (cause.trouble !== tally.trouble || cause.target !== undefined) continue;
      const subject = subjectOf(cause, index);
      if (subject) closed.push({ claim: cause.claim, agoMs: now - closedMs, subject });
    }
  }
  if (closed.length === 0) return undefined;
  // A row that was confirmed later tells of paths that were probed again.
  const { httpIntervalMs = 0, httpTimeoutMs = 0 } = own ?? {};
  const lookAgainMs = Math.min(httpIntervalMs + httpTimeoutMs + slackMs, residueMs);
  return (entry, channel) => {
    const from = entries.from[entry] ?? 0;
    const path: Subject = { type: 'pair', from, to: entries.to[entry] ?? 0 };
    const confirmedMs = 1000 * (observers[observerOf[from] ?? -1]?.ageS ?? 0);
    const beganMs = 1000 * tally.ageS(entry, channel);
    return closed.some(
      ({ claim, agoMs, subject }) =>
        ((claim >> channel) & 1) === 1 &&
        beganMs >= agoMs &&
        confirmedMs > agoMs - lookAgainMs &&
        isWithin(path, subject, index),
    );
  };
}
