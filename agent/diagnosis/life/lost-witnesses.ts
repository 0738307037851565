import type { Facts } from '../evidence/facts.js';
import type { Finding } from '../nouns/finding.js';

/**
 * Whether at least half of a finding's witnesses have no believable row any more. Their silence is
 * no recovery.
 */
export function lostWitnesses(
  { evidence, looks = [] }: Finding,
  { index, observations: { observerOf } }: Facts,
): boolean {
  const names = new Set([...evidence, ...looks].map(({ from }) => from));
  const witnesses = [...names].flatMap((name) => index.numberOf.get(name) ?? []);
  const lost = witnesses.filter((node) => observerOf[node] === -1).length;
  return lost > 0 && lost * 2 >= witnesses.length;
}
