import type { Finding } from './finding.js';

/** The order of findings: broken before degraded, then by how many paths they explain. */
export function worstFirst(a: Finding, b: Finding): number {
  const bySeverity = Number(a.severity !== 'broken') - Number(b.severity !== 'broken');
  if (bySeverity !== 0) return bySeverity;
  if (a.explains !== b.explains) return b.explains - a.explains;
  const [first, second] = [`${a.since} ${a.id}`, `${b.since} ${b.id}`];
  return first < second ? -1 : Number(first > second);
}
