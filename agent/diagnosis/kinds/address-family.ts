import { addressFamilies, familyNames, type AddressFamily } from '../../model/address.js';
import { planes, type Plane } from '../../model/path.js';
import type { RowFamily } from '../../model/row.js';
import { protocols } from '../../model/sample.js';
import type { Facts, ObservedFamilies } from '../evidence/observations.js';
import type { Candidate } from '../nouns/finding.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import { aloneFinding, type AloneKind } from './alone.js';
import { written } from './command.js';
import { cannot } from './words.js';

/** The second addresses of most nodes fail, all of one family, while the first ones answer. */
export const addressFamily: AloneKind = {
  kind: 'address-family',
  severity: 'broken',
  // The rows of the others come one after the other.
  waitsMs: 5000,
};

/** One observer sees what is broken at itself. */
const leastObservers = 2;

const places: Readonly<Record<Plane, string>> = { host: 'nodes', endpoint: 'endpoints' };

/**
 * Finds the second address families that fail: at least half of the observers that know such paths to half of the nodes, and
 * to two, see most of them fail on a plane, while the first addresses there answer. Rows count these paths and do not name them.
 */
export function failingFamilies({ input, index, observations }: Facts): Candidate[] {
  const enough = Math.max(2, (index.size - 1) / 2);
  return addressFamilies.flatMap((family) =>
    planes.flatMap((plane) => {
      const failing = protocols
        .map((protocol) => count(observations.families, enough, { family, plane, protocol }))
        .filter(({ seen }) => seen.failing >= leastObservers && 2 * seen.failing >= seen.of);
      return failing.length > 0 ? findingOf(input, family, plane, failing) : [];
    }),
  );
}

/** Who knows enough such paths, who of them sees most fail, and how many paths those are. */
function count(
  rows: readonly ObservedFamilies[],
  enough: number,
  { family, plane, protocol }: Pick<RowFamily, 'family' | 'plane' | 'protocol'>,
) {
  const seen = { failing: 0, of: 0 };
  const paths = { failing: 0, of: 0 };
  for (const { families, counts } of rows) {
    const one = families.find(
      (some) => some.family === family && some.plane === plane && some.protocol === protocol,
    );
    const known = one ? one.reachable + one.unreachable : 0;
    if (!one || known < enough) continue;
    seen.of++;
    const first = counts[plane][protocol];
    const isOfFamily = 2 * first.unreachable <= first.reachable + first.unreachable;
    if (2 * one.unreachable <= known || !isOfFamily) continue;
    seen.failing++;
    paths.failing += one.unreachable;
    paths.of += known;
  }
  return { protocol, seen, paths };
}

function findingOf(
  input: DiagnosisInput,
  family: AddressFamily,
  plane: Plane,
  failing: readonly ReturnType<typeof count>[],
): Candidate {
  const id = `${addressFamily.kind}:${family}:${plane}`;
  const sinceMs = input.previous?.memory.get(id)?.sinceMs ?? input.now;
  const worst = failing.reduce((most, one) =>
    one.paths.failing > most.paths.failing ? one : most,
  );
  const by = failing.length > 1 ? '' : ` by ${worst.protocol.toUpperCase()}`;
  const what = `reach most ${places[plane]} at their second, ${familyNames[family]} addresses${by}`;
  const counted = failing
    .map(({ protocol, paths }) => `${paths.failing} of ${paths.of} by ${protocol.toUpperCase()}`)
    .join(', ');
  return aloneFinding(addressFamily, input, sinceMs, {
    id,
    family,
    plane,
    protocols: failing.map(({ protocol }) => protocol),
    seenBy: worst.seen,
    explains: failing.reduce((sum, { paths }) => sum + paths.failing, 0),
    text: `${cannot(worst.seen, what)} (paths that fail: ${counted}); the first addresses answer`,
    next: written([
      `ip -${family === 'ipv6' ? '6' : '4'} route`,
      'meshprobe status --verbose',
      `ss -ltn sport = :${input.probePort}`,
    ]),
  });
}
