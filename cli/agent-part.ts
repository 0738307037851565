import type { Client } from '../api/client/client.js';
import type { PlaneStatus, Status } from '../api/schema/status.js';
import { mostCheckedPaths } from '../api/schema/v1/check-limits.js';
import type { AgentPart, CheckedPath } from '../api/schema/v1/check.js';
import type { Plane } from '../api/schema/v1/fields.js';

/**
 * What one agent gives to a check of the cluster.
 * @param isWhole also what it found; else only how far it is
 */
export async function agentPart(client: Client, isWhole: boolean): Promise<AgentPart> {
  const [summary, targets] = await Promise.all([client.summary(), client.targets()]);
  if (!isWhole) return { summary, targets };
  const [findings, matrix, status] = await Promise.all([
    client.findings(),
    client.zoneMatrix({ plane: 'worst', protocol: 'worst' }),
    client.status(),
  ]);
  const paths = checkedPaths(status);
  return {
    summary,
    targets,
    findings,
    matrix,
    slowest: slowestOf(paths),
    lossiest: lossiestOf(paths),
  };
}

/** The slowest paths by their ICMP median, the slowest first: HTTP includes the work of the peer. */
export function slowestOf(paths: readonly CheckedPath[]): CheckedPath[] {
  return paths
    .filter(({ protocol, p50Ns }) => protocol === 'icmp' && p50Ns !== undefined)
    .toSorted((a, b) => (b.p50Ns ?? 0) - (a.p50Ns ?? 0))
    .slice(0, mostCheckedPaths);
}

/** The paths that lost most, the worst first. */
export function lossiestOf(paths: readonly CheckedPath[]): CheckedPath[] {
  return paths
    .filter(({ loss = 0 }) => loss > 0)
    .toSorted((a, b) => (b.loss ?? 0) - (a.loss ?? 0))
    .slice(0, mostCheckedPaths);
}

function checkedPaths({ local, nodes }: Status): CheckedPath[] {
  return nodes
    .filter(({ name }) => name !== local.name)
    .flatMap((node) => [
      ...pathsOfPlane(local.name, node.name, 'host', node.host),
      ...pathsOfPlane(local.name, node.name, 'endpoint', node['health-endpoint']),
    ]);
}

function pathsOfPlane(
  from: string,
  to: string,
  plane: Plane,
  status: PlaneStatus | null | undefined,
): CheckedPath[] {
  const path = status?.['primary-address'];
  return (['icmp', 'http'] as const).flatMap((protocol) => {
    const known = path?.[protocol];
    if (!known) return [];
    const { p50, loss1h } = known;
    return {
      from,
      to,
      plane,
      protocol,
      ...(p50 !== undefined && { p50Ns: p50 }),
      ...(loss1h !== undefined && { loss: loss1h }),
    };
  });
}
