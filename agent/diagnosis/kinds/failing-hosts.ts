import type { HostSign } from '../../model/row-host.js';
import type { Facts } from '../evidence/facts.js';
import type { Candidate } from '../nouns/candidate.js';
import type { Finding } from '../nouns/finding.js';
import { endsOf, isNear } from './host-evidence.js';
import {
  foldedHostSign,
  foldedId,
  hostSignFinding,
  isFailure,
  type FailingHost,
} from './host-sign.js';

/** More hosts than these that show the same are told as one finding. */
const mostAlone = 16;
/** A finding of many stays one until no more than these are left, so that it does not come and go around that number. */
const leastFolded = 12;

/**
 * Finds the hosts that show a failure, but for those of which another finding that began at about the same time tells it.
 * Most signs are no failure by themselves.
 */
export function failingHosts(
  { input, index, observations }: Facts,
  others: readonly Finding[],
): Candidate[] {
  const byNode = findingsByNode(others);
  const bySign = new Map<HostSign, FailingHost[]>();
  for (const [number, { signs, bodyAgeMs }] of observations.hosts) {
    const node = index.nodes[number];
    if (!node) continue;
    for (const sign of signs.filter(isFailure)) {
      const beganMs = input.now - bodyAgeMs - 1000 * sign.ageSeconds;
      const about = byNode.get(node.name) ?? [];
      if (about.some((finding) => isNear(finding, beganMs, input))) continue;
      const known = bySign.get(sign.sign) ?? [];
      bySign.set(sign.sign, known);
      // A host may show one sign of several tables.
      if (known.at(-1)?.node !== node) known.push({ node, sign, bodyAgeMs });
    }
  }
  const known = new Set(input.previous?.findings.map(({ id }) => id));
  const most = (sign: HostSign): number => (known.has(foldedId(sign)) ? leastFolded : mostAlone);
  return [...bySign].flatMap(([sign, hosts]) =>
    hosts.length > most(sign)
      ? [foldedHostSign(input, sign, hosts)]
      : hosts.map((host) => hostSignFinding(input, host)),
  );
}

function findingsByNode(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const byNode = new Map<string, Finding[]>();
  for (const finding of findings) {
    for (const name of endsOf(finding)) byNode.set(name, [...(byNode.get(name) ?? []), finding]);
  }
  return byNode;
}
