import type { Candidate, Finding, Severity } from '../nouns/finding.js';
import { isoTime, type DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { Kind } from './kind.js';

/** A kind of finding that is looked for by itself. */
export interface AloneKind extends Kind {
  readonly severity: Severity;
  readonly waitsMs: number;
}

/** What a finding of such a kind says itself. The rest is so of most of them. */
type Said = Pick<Finding, 'id' | 'text' | 'next'> & Partial<Finding>;

/** The finding of a kind that is looked for by itself: one observer sees it, and it explains no paths. */
export function aloneFinding(
  { kind, severity, waitsMs }: AloneKind,
  input: DiagnosisInput,
  sinceMs: number,
  said: Said,
): Candidate {
  const finding: Finding = {
    kind,
    severity,
    protocols: [],
    since: isoTime(input, sinceMs),
    seenBy: { failing: 1, of: 1 },
    explains: 0,
    confidence: 0.9,
    evidence: [],
    ...said,
  };
  return { finding, sinceMs, settleMs: waitsMs, causes: [], explained: [] };
}
