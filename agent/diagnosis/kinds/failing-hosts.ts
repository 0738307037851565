import type { HostSign } from '../../model/row-host.js';
import type { Facts } from '../evidence/facts.js';
import type { Candidate } from '../nouns/candidate.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
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
 * Finds the hosts that show a failure, but for those of which another finding that began at about the same time tells it: of
 * a group, where most of its nodes show it. Most signs are no failure by themselves.
 */
export function failingHosts(
  { input, index, observations }: Facts,
  others: readonly Finding[],
): Candidate[] {
  const byNode = findingsByNode(others, index);
  const bySign = new Map<HostSign, FailingHost[]>();
  for (const [number, { signs, isStale, bodyAgeMs }] of observations.hosts) {
    const node = index.nodes[number];
    if (!node || isStale) continue;
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
  const groups = others.filter(({ group }) => group !== undefined);
  const known = new Set(input.previous?.findings.map(({ id }) => id));
  const most = (sign: HostSign): number => (known.has(foldedId(sign)) ? leastFolded : mostAlone);
  return [...bySign].flatMap(([sign, all]) => {
    const told = new Set(groups.flatMap((finding) => toldByGroup(finding, all, { input, index })));
    const hosts = all.filter((host) => !told.has(host));
    return hosts.length > most(sign)
      ? [foldedHostSign(input, sign, hosts)]
      : hosts.map((host) => hostSignFinding(input, host));
  });
}

/** The hosts of a group that show a sign since about when its finding began, where those are most of its nodes. */
function toldByGroup(
  finding: Finding,
  hosts: readonly FailingHost[],
  { input, index }: Pick<Facts, 'input' | 'index'>,
): readonly FailingHost[] {
  const ends = new Set(endsOf(finding, index));
  const near = hosts.filter(
    ({ node, sign, bodyAgeMs }) =>
      ends.has(node.name) && isNear(finding, input.now - bodyAgeMs - 1000 * sign.ageSeconds, input),
  );
  return 2 * near.length > ends.size ? near : [];
}

function findingsByNode(
  findings: readonly Finding[],
  index: ClusterIndex,
): ReadonlyMap<string, readonly Finding[]> {
  const byNode = new Map<string, Finding[]>();
  for (const finding of findings.filter(({ group }) => !group)) {
    for (const name of endsOf(finding, index))
      byNode.set(name, [...(byNode.get(name) ?? []), finding]);
  }
  return byNode;
}
