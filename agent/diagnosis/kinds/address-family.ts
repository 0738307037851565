import { familyNames, type AddressFamily } from '../../model/address.js';
import type { Plane } from '../../model/path.js';
import type { Protocol } from '../../model/sample.js';
import type { Candidate } from '../nouns/candidate.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { Seen } from '../nouns/sight.js';
import { aloneFinding } from './alone.js';
import { written } from './command.js';
import type { AloneKind } from './kind.js';
import { cannot } from './words.js';

/** The second addresses of most nodes fail, all of one family, while the first ones answer. */
export const addressFamily: AloneKind = {
  kind: 'address-family',
  severity: 'broken',
  // The rows of the others come one after the other.
  waitsMs: 5000,
};

/** What the observers count of one family on one plane by one protocol. */
export interface FamilyCounts {
  readonly protocol: Protocol;
  /** Those who see most of these paths fail, and those who know any. */
  readonly seen: Seen;
  /** The paths of the former that fail, and those that they know. */
  readonly paths: Seen;
}

/** A family that fails on a plane, by these protocols. */
export interface FailingFamily {
  readonly family: AddressFamily;
  readonly plane: Plane;
  readonly failing: readonly FamilyCounts[];
}

const places: Readonly<Record<Plane, string>> = { host: 'nodes', endpoint: 'endpoints' };

/** The finding of a second family that fails on a plane. */
export function addressFamilyFinding(
  input: DiagnosisInput,
  { family, plane, failing }: FailingFamily,
): Candidate {
  const id = `${addressFamily.kind}:${family}:${plane}`;
  const sinceMs = input.previous?.memory.get(id)?.sinceMs ?? input.now;
  const worst = failing.reduce((most, one) =>
    one.paths.failing > most.paths.failing ? one : most,
  );
  const [only, other] = failing;
  const by = other || !only ? '' : ` by ${only.protocol.toUpperCase()}`;
  const what = `reach most ${places[plane]} at their second, ${familyNames[family]} addresses${by}`;
  const counted = failing
    .map(({ protocol, paths }) => `${paths.failing} of ${paths.of} by ${protocol.toUpperCase()}`)
    .join(', ');
  return aloneFinding(addressFamily, input, sinceMs, {
    id,
    family,
    plane,
    protocols: failing.map(({ protocol }) => protocol),
    seenBy: { ...worst.seen },
    explains: failing.reduce((sum, { paths }) => sum + paths.failing, 0),
    text: `${cannot(worst.seen, what)} (paths that fail: ${counted}); the first addresses answer`,
    next: written([
      `ip -${family === 'ipv6' ? '6' : '4'} route`,
      'meshprobe status --verbose',
      'ss -ltn sport = :' + String(input.probePort),
    ]),
  });
}
