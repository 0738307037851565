import { formatDurationNs } from '../../api/duration.js';
import type {
  NodeStatus,
  PathStatus,
  PlaneStatus,
  ProtocolStatus,
  Status,
} from '../../api/schema/status.js';
import { troublesOf } from '../../api/schema/v1/path-words.js';
import { countText } from './age-text.js';
import { escapeText } from './escape.js';
import { orderNodes } from './node-order.js';
import { lifecycleNote } from './lifecycle.js';
import { lossText } from './loss-text.js';
import { addressesOf, worstState } from './plane-state.js';
import { planLines } from './plan-text.js';
import { alignColumns } from './tab-writer.js';

/** Prints every path with its RTTs or failures, as `cilium-health status` does. */
export function renderStatus(status: Status, { verbose = false } = {}): string {
  const lines = [
    `Probe time:\t${escapeText(status.timestamp)}`,
    ...(verbose ? planLines(status.plan) : []),
    'Nodes:',
  ];
  for (const node of orderNodes(status)) {
    const local = node.name === status.local.name ? ' (localhost)' : '';
    lines.push(`  ${escapeText(node.name)}${local}${lifecycleNote(node)}:`);
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
  const parts = protocol.status
    ? [escapeText(protocol.status)]
    : ['OK', `RTT=${formatDurationNs(protocol.latency ?? 0)}`];
  if (protocol.tainted) parts.push('tainted');
  const troubles = troublesOf(protocol);
  parts.push(...troubles);
  if (verbose) parts.push(...phases(protocol), ...figures(protocol));
  // Cilium's agent reports no losses.
  const tellsLoss = protocol.p50 !== undefined || protocol.loss1h !== undefined;
  if (troubles.includes('lossy') || (verbose && tellsLoss)) parts.push(lossText(protocol));
  const failures = protocol.failures ?? 0;
  if (verbose && failures > 0) parts.push(`${countText(failures, 'failure')} in a row`);
  return parts.join(', ');
}

/** The phases of one HTTP exchange. */
function phases({ connect, firstByte, tcpRtt, synRetransmissions }: ProtocolStatus): string[] {
  return [
    ...(connect === undefined ? [] : [`connect=${formatDurationNs(connect)}`]),
    ...(firstByte === undefined ? [] : [`first byte=${formatDurationNs(firstByte)}`]),
    ...(tcpRtt === undefined ? [] : [`TCP RTT=${formatDurationNs(tcpRtt)}`]),
    ...(synRetransmissions ? [`SYN resent ${countText(synRetransmissions, 'time')}`] : []),
  ];
}

function figures({ min, p50, p99, max }: ProtocolStatus): string[] {
  const known = { min, p50, p99, max };
  return Object.entries(known).flatMap(([name, ns]) =>
    ns === undefined ? [] : [`${name}=${formatDurationNs(ns)}`],
  );
}
