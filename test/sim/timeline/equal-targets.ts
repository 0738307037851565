import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { planes, type Plane } from '../../../agent/model/path.js';
import type { Fault } from '../../faults/fault.js';
import { dnsServers, isTargetFault, type TargetFault } from '../../faults/target-kinds.js';
import type { Seen } from '../diagnosis/looks-same.js';
import { isCutOff } from '../lib/target-network.js';

/**
 * Why nobody can know that findings about targets are wrong; undefined if one can: each look of each node from each plane
 * would fail with what they name exactly where it fails with the truth, because a fault of paths that is as old makes it
 * fail anyway.
 * @param hosts the hosts at which each target is
 */
export function equalTargetReason(
  { made, conditions, layout }: Pick<Seen, 'made' | 'conditions' | 'layout'>,
  hosts: ReadonlyMap<string, readonly number[]>,
  missed: readonly Fault[],
  extra: readonly Finding[],
): string | undefined {
  if (missed.length !== extra.length || !missed.every(isTargetFault)) return undefined;
  const ageS = (fault: Fault): number =>
    conditions.troubles.find(({ trouble }) => trouble === fault.trouble)?.ageS ?? 0;
  const isSame = (fault: TargetFault, finding: Finding): boolean => {
    const { target, server, isHit } = fault.targetTrouble;
    const [named] = finding.servers ?? [];
    if (finding.target !== target) return false;
    if (named !== (server === undefined ? undefined : dnsServers[server])) return false;
    const older = made.filter((one) => !isTargetFault(one) && ageS(one) >= ageS(fault));
    const paths = older.map(({ trouble }) => trouble);
    return layout.names.every((name, node) =>
      planes.every(
        (plane) =>
          isNamed(finding, name, layout.zones[layout.zoneOf[node] ?? -1], plane) ===
            isHit(node, plane) || isCutOff(paths, hosts, { node, plane, target }),
      ),
    );
  };
  const isAll = missed.every((fault) => extra.some((finding) => isSame(fault, finding)));
  if (!isAll) return undefined;
  const hiding = made.filter((fault) => !isTargetFault(fault)).map(({ what }) => what);
  return `${missed.map(({ what }) => what).join(' + ')} looks like ${extra.map(({ id }) => id).join(' + ')}, beside ${hiding.join(' and ')}`;
}

function isNamed(finding: Finding, node: string, zone: string | undefined, plane: Plane): boolean {
  return (
    (finding.plane === undefined || finding.plane === plane) &&
    (finding.node === undefined || finding.node === node) &&
    (finding.zones === undefined || finding.zones[0] === zone)
  );
}
