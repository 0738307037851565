import { formatDurationNs } from '../../api/duration.js';
import type { NodeStatus, PathStatus, ProtocolStatus, Status } from '../../api/schema/status.js';
import { escapeText } from './escape.js';
import { orderNodes } from './node-order.js';
import { addressesOf, protocolState, worstState } from './plane-state.js';
import { alignColumns } from './tab-writer.js';

/**
 * Prints a status as `cilium-health status` of Cilium 1.17 to 1.20 does, for scripts that read it
 * (`FormatHealthStatusResponse` of pkg/health/client/client.go). An unknown path counts as
 * reachable, as it does there. One thing differs: without the local node in the list, Cilium prints no node.
 */
export function renderCiliumStatus(status: Status, { verbose = false } = {}): string {
  const nodes = orderNodes(status);
  const healthy = nodes.filter(isHealthy).length;
  const interval = escapeText(status.probeInterval ?? '');
  return alignColumns([
    `Cluster health:\t${healthy}/${nodes.length} reachable\t(${escapeText(status.timestamp)})\t(Probe interval: ${interval})`,
    'Name\tIP\tNode\tEndpoints',
    ...nodes.flatMap((node) => {
      const name = escapeText(node.name) + (node.name === status.local.name ? ' (localhost)' : '');
      return verbose ? pathLines(node, name) : [countsLine(node, name)];
    }),
  ]);
}

/** One node of `cilium-health status`: how many of its paths are reachable. */
function countsLine(node: NodeStatus, name: string): string {
  const secondary = node.host?.['secondary-addresses'] ?? [];
  const ips = [node.host?.['primary-address']?.ip ?? 'Unavailable', ...secondary.map(ipOf)];
  const planes = [pathsOf(node.host), pathsOf(node['health-endpoint'])];
  return `  ${name}\t${ips.map(escapeText).join(',')}\t${planes.map(countText).join('\t')}`;
}

function countText(paths: readonly (PathStatus | undefined)[]): string {
  const states = paths.map(stateOf);
  const count = (state: string) => states.filter((one) => one === state).length;
  const unknown = count('unknown') > 0 ? ` (${count('unknown')} unknown)` : '';
  return `${count('reachable')}/${paths.length}${unknown}`;
}

/** One node of `cilium-health status --verbose`: each path with its RTTs. */
function pathLines(node: NodeStatus, name: string): string[] {
  return [
    `  ${name}:`,
    ...planeLines('Host', node.host),
    ...planeLines('Endpoint', node['health-endpoint']),
  ];
}

function planeLines(title: string, plane: NodeStatus['host']): string[] {
  const primary = plane?.['primary-address'];
  return [
    ...(primary ? addressLines(title, primary) : [`    ${title} connectivity:\tnil`]),
    ...(plane?.['secondary-addresses'] ?? []).flatMap((path) =>
      addressLines(`Secondary ${title}`, path),
    ),
  ];
}

function addressLines(title: string, { ip, icmp, http }: PathStatus): string[] {
  return [
    `    ${title} connectivity to ${escapeText(ip)}:`,
    ...protocolLines('ICMP to stack', icmp),
    ...protocolLines('HTTP to agent', http),
  ];
}

function protocolLines(title: string, protocol: ProtocolStatus | null | undefined): string[] {
  if (!protocol) return [];
  const result =
    protocolState(protocol) === 'reachable'
      ? `OK, RTT=${formatDurationNs(protocol.latency ?? 0)}`
      : escapeText(protocol.status ?? '');
  return [`      ${title}:\t${result}\t(Last probed: ${escapeText(protocol.lastProbed ?? '')})`];
}

/** The paths that Cilium counts: a plane without a primary address has one that is unreachable. */
function pathsOf(plane: NodeStatus['host']): readonly (PathStatus | undefined)[] {
  if (!plane) return [];
  const paths = addressesOf(plane);
  return plane['primary-address'] ? paths : [undefined, ...paths];
}

function stateOf(path: PathStatus | undefined) {
  return path ? worstState([path]) : 'unreachable';
}

function isHealthy(node: NodeStatus): boolean {
  return [...pathsOf(node.host), ...pathsOf(node['health-endpoint'])].every(
    (path) => stateOf(path) !== 'unreachable',
  );
}

function ipOf({ ip }: PathStatus): string {
  return ip;
}
