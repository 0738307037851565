import type { Finding } from '../diagnosis/nouns/finding.js';
import { maxNamedFindings } from './metrics-view.js';

/**
 * The findings that metrics name: the worst of each kind and severity, then the worst of all others. An alert is about one kind, so
 * in a large outage it goes on, and does not end as if what it tells of were over.
 * @param findings all open ones, the worst first
 */
export function namedFindings(findings: readonly Finding[]): readonly Finding[] {
  const firstOf = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.kind}`;
    if (!firstOf.has(key)) firstOf.set(key, finding);
  }
  // A set keeps each once, in this order.
  return [...new Set([...firstOf.values(), ...findings])].slice(0, maxNamedFindings);
}
