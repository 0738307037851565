import type { HostSign } from '../../model/row-host.js';
import type { Facts } from '../evidence/facts.js';
import type { Candidate } from '../nouns/candidate.js';
import type { Finding } from '../nouns/finding.js';
import { foldedHostSign, hostSignFinding, isFailure, type FailingHost } from './host-sign.js';

/** More hosts than these that show the same are told as one finding. */
const mostAlone = 16;

/**
 * Finds the hosts that show a failure, but for those that another finding is about: that one tells their signs.
 * Most signs are no failure by themselves.
 */
export function failingHosts(
  { input, index, observations }: Facts,
  others: readonly Finding[],
): Candidate[] {
  const bySign = new Map<HostSign, FailingHost[]>();
  for (const [number, { signs, bodyAgeMs }] of observations.hosts) {
    const node = index.nodes[number];
    if (!node || others.some((finding) => isAbout(finding, node.name))) continue;
    for (const sign of signs.filter(isFailure)) {
      const known = bySign.get(sign.sign) ?? [];
      bySign.set(sign.sign, known);
      if (!known.some((host) => host.node === node)) known.push({ node, sign, bodyAgeMs });
    }
  }
  return [...bySign].flatMap(([sign, hosts]) =>
    hosts.length > mostAlone
      ? [foldedHostSign(input, sign, hosts)]
      : hosts.map((host) => hostSignFinding(input, host)),
  );
}

function isAbout({ node, pair }: Finding, name: string): boolean {
  return node === name || pair?.includes(name) === true;
}
