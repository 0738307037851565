import { addressFamilies } from '../../model/address.js';
import { planes } from '../../model/path.js';
import { protocols } from '../../model/sample.js';
import { addressFamilyFinding, type FamilyCounts } from './address-family.js';
import type { Candidate } from '../nouns/candidate.js';
import type { Facts } from '../evidence/facts.js';
import type { ObservedFamilies } from '../evidence/observations.js';

/** One observer sees what is broken at itself. */
const leastObservers = 2;

/**
 * Finds the second address families that fail: at least half of the observers that know such paths see most of them
 * fail on a plane, while the first addresses there answer them. Rows count these paths and do not name them.
 */
export function failingFamilies({ input, observations }: Facts): Candidate[] {
  const { families: rows } = observations;
  if (rows.length < leastObservers) return [];
  const findings: Candidate[] = [];
  for (const family of addressFamilies) {
    for (const plane of planes) {
      const counted = protocols.map((protocol) => ({
        protocol,
        ...count(
          rows,
          (one) => one.family === family && one.plane === plane && one.protocol === protocol,
        ),
      }));
      const failing = counted.filter(({ seen }) => isFailing(seen));
      if (failing.length > 0)
        findings.push(addressFamilyFinding(input, { family, plane, failing }));
    }
  }
  return findings;
}

function isFailing({ failing, of }: FamilyCounts['seen']): boolean {
  return failing >= leastObservers && 2 * failing >= of;
}

type IsCounted = (one: ObservedFamilies['families'][number]) => boolean;

/** Who knows such paths, who of them sees most fail, and how many paths those are. */
function count(
  rows: readonly ObservedFamilies[],
  isCounted: IsCounted,
): Omit<FamilyCounts, 'protocol'> {
  const seen = { failing: 0, of: 0 };
  const paths = { failing: 0, of: 0 };
  for (const { families, counts } of rows) {
    const one = families.find(isCounted);
    const known = one ? one.reachable + one.unreachable : 0;
    if (!one || known === 0) continue;
    seen.of++;
    const first = counts[one.plane][one.protocol];
    const isOfFamily = 2 * first.unreachable <= first.reachable + first.unreachable;
    if (2 * one.unreachable <= known || !isOfFamily) continue;
    seen.failing++;
    paths.failing += one.unreachable;
    paths.of += known;
  }
  return { seen, paths };
}
