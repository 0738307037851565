import type { HostSign } from '../../model/row-host.js';
import type { Facts } from '../evidence/observations.js';
import type { Candidate, Finding } from '../nouns/finding.js';
import { splitMany } from './fold.js';
import { endsOf } from './finding-ends.js';
import { isNear } from './host-evidence.js';
import { hostSign, hostSignFinding, isFailure, type FailingHost } from './host-sign.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/**
 * Finds the hosts that show a failure, but for those of which another finding that began at about the same time tells it: of
 * a group, where most of its nodes show it. Most signs are no failure by themselves.
 */
export function failingHosts(facts: Facts, others: readonly Finding[]): Candidate[] {
  const { input, index, observations } = facts;
  const byNode = new Map<string, Finding[]>();
  for (const finding of others.filter(({ group }) => !group))
    for (const name of endsOf(finding, index)) getOrInsert(byNode, name, () => []).push(finding);
  const bySign = new Map<HostSign, FailingHost[]>();
  for (const [number, { signs, isStale, bodyAgeMs }] of observations.hosts) {
    const node = index.nodes[number];
    if (!node || isStale) continue;
    for (const sign of signs.filter(isFailure)) {
      const beganMs = input.now - bodyAgeMs - 1000 * sign.ageSeconds;
      if (byNode.get(node.name)?.some((finding) => isNear(finding, beganMs, input))) continue;
      const known = getOrInsert(bySign, sign.sign, () => []);
      // A host may show one sign of several tables.
      if (known.at(-1)?.node !== node) known.push({ node, sign, beganMs });
    }
  }
  const groups = others.filter(({ group }) => group !== undefined);
  const hosts = [...bySign.values()].flatMap((all) => {
    const shown = new Set(groups.flatMap((finding) => shownByGroup(finding, all, facts)));
    return all.filter((host) => !shown.has(host));
  });
  const keyOf = ({ sign: { sign } }: FailingHost) => ({
    kind: sign,
    id: `${hostSign.kind}:${sign}:many`,
  });
  const { alone, folded } = splitMany(hosts, keyOf, input.previous);
  return [
    ...alone.map((host) => hostSignFinding(input, [host])),
    ...folded.map(([id, many]) => hostSignFinding(input, many, id)),
  ];
}

/** The hosts of a group that show a sign since about when its finding began, where those are most of its nodes. */
function shownByGroup(finding: Finding, hosts: readonly FailingHost[], { input, index }: Facts) {
  const ends = new Set(endsOf(finding, index));
  const near = hosts.filter(
    ({ node, beganMs }) => ends.has(node.name) && isNear(finding, beganMs, input),
  );
  return 2 * near.length > ends.size ? near : [];
}
