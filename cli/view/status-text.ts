import { formatDurationNs } from '../../api/duration.js';
import type {
  NodeStatus,
  PathStatus,
  PlaneStatus,
  ProtocolStatus,
  Status,
} from '../../api/schema/status.js';
import { escapeText } from './escape.js';
import { orderNodes } from './node-order.js';
import { addressesOf, worstState } from './plane-state.js';
import { alignColumns } from './tab-writer.js';

/** Every path with its RTTs or failures, as `cilium-health status` prints it. */
export function renderStatus(status: Status, { verbose = false } = {}): string {
  const lines = [`Probe time:\t${escapeText(status.timestamp)}`, 'Nodes:'];
  for (const node of orderNodes(status)) {
    const local = node.name === status.local.name ? ' (localhost)' : '';
    lines.push(`  ${escapeText(node.name)}${local}:`);
    lines.push(...planeLines('Host', node.host, verbose));
    lines.push(...endpointLines(node, verbose));
  }
  return alignColumns(lines);
}

function endpointLines(node: NodeStatus, verbose: boolean): string[] {
  const endpoint = node['health-endpoint'];
  if (addressesOf(endpoint).length > 0) return planeLines('Endpoint', endpoint, verbose);
  return verbose ? ['    Endpoint connectivity:\tnone'] : [];
}

function planeLines(
  title: string,
  plane: PlaneStatus | null | undefined,
  verbose: boolean,
): string[] {
  const [primary, ...secondary] = addressesOf(plane);
  if (!primary) return [`    ${title} connectivity to Unavailable:`];
  const shown = verbose || worstState(secondary) === 'unreachable';
  return [
    ...pathLines(`    ${title} connectivity to`, primary, verbose),
    ...(shown
      ? secondary.flatMap((path) => pathLines('      Secondary connectivity to', path, verbose))
      : []),
  ];
}

function pathLines(title: string, path: PathStatus, verbose: boolean): string[] {
  const indent = ' '.repeat(title.length - title.trimStart().length + 2);
  const line = (
    name: string,
    protocol: ProtocolStatus | null | undefined,
    reason: string | null | undefined,
  ) => `${indent}${name}:\t${protocolText(protocol, reason, verbose)}`;
  return [
    `${title} ${escapeText(path.ip)}:`,
    line('ICMP to stack', path.icmp, path.unknown?.icmp),
    line('HTTP to agent', path.http, path.unknown?.http),
  ];
}

function protocolText(
  protocol: ProtocolStatus | null | undefined,
  reason: string | null | undefined,
  verbose: boolean,
): string {
  if (!protocol) return reason ? `unknown (${escapeText(reason)})` : 'unknown';
  const failures = protocol.failures ?? 0;
  const row = verbose && failures > 0 ? `, ${failures} failures in a row` : '';
  if (protocol.status) return escapeText(protocol.status) + row;
  return `OK, RTT=${formatDurationNs(protocol.latency ?? 0)}${row}`;
}
