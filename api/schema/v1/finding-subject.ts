import type { Finding } from './findings.js';
import type { NodeEntry } from './nodes.js';

/** Whether a finding is about a node, a pair with it, its zone or a group that it is in, alone or as one of many. */
export function isAbout(
  finding: Finding,
  { name, zone, findings }: Pick<NodeEntry, 'name' | 'zone' | 'findings'>,
): boolean {
  return (
    finding.node === name ||
    finding.pair?.includes(name) === true ||
    (zone !== undefined && finding.zones?.includes(zone) === true) ||
    findings?.includes(finding.id) === true
  );
}

/** Whether a finding is about the whole cluster, for example a filtered protocol, or a target. */
export function isOfCluster({ node, pair, zones, group, count }: Finding): boolean {
  return [node, pair, zones, group, count].every((subject) => subject === undefined);
}
