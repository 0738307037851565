import type { Finding } from '../../agent/diagnosis/nouns/finding.js';

/** A finding: c/n7 is down, as its eleven peers see it, if nothing else is said. */
export function makeFinding(more: Partial<Finding> = {}): Finding {
  return {
    id: 'node:c/n7',
    kind: 'node-down',
    severity: 'broken',
    protocols: ['icmp', 'http'],
    since: '2026-01-01T00:00:00.000Z',
    seenBy: { failing: 11, of: 11 },
    explains: 44,
    confidence: 0.9,
    text: '',
    next: [],
    evidence: [],
    ...more,
  };
}
