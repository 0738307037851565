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

/** Prints every path with its RTTs or failures, as `cilium-health status` up to Cilium 1.16 does. */
export function renderStatus(status: Status, { verbose = false } = {}): string {
  const plan = verbose ? planLines(status.plan).map((line) => `${line}\n`) : [];
  const head = `Probe time:${gap(verbose)}${escapeText(status.timestamp)}\n${plan.join('')}Nodes:\n`;
  // No list of lines: thousands of nodes have tens of thousands of them.
  const texts = orderNodes(status).map((node) => {
    const local = node.name === status.local.name ? ' (localhost)' : '';
    const title = `  ${escapeText(node.name)}${local}${lifecycleNote(node)}:\n`;
    return title + planeText('Host', node.host, verbose) + endpointText(node, verbose);
  });
  const text = head + texts.join('');
  return verbose ? alignColumns(text.slice(0, -1).split('\n')) : text;
}

/** What ends a name. Without --verbose all neighbouring names have one width: nothing is to be aligned. */
function gap(verbose: boolean): string {
  return verbose ? '\t' : '   ';
}

function endpointText(node: NodeStatus, verbose: boolean): string {
  const endpoint = node['health-endpoint'];
  if (addressesOf(endpoint).length > 0) return planeText('Endpoint', endpoint, verbose);
  return verbose ? '    Endpoint connectivity:\tnone\n' : '';
}

function planeText(title: string, plane: PlaneStatus | null | undefined, verbose: boolean): string {
  // Without a rest element, whose iterator is slow before V8 has compiled this.
  const addresses = addressesOf(plane);
  const primary = addresses[0];
  if (!primary) return `    ${title} connectivity to Unavailable:\n`;
  let text = pathText(`    ${title} connectivity to`, '      ', primary, verbose);
  if (addresses.length === 1) return text;
  const secondary = addresses.slice(1);
  if (verbose || worstState(secondary) === 'unreachable') {
    for (const path of secondary) {
      text += pathText('      Secondary connectivity to', '        ', path, verbose);
    }
  }
  return text;
}

function pathText(
  title: string,
  indent: string,
  { ip, icmp, http, unknown }: PathStatus,
  verbose: boolean,
): string {
  // Joined, because `+` leaves V8 a tree of small strings, which it has to collect.
  return [
    `${title} ${ip ? escapeText(ip) : 'Unavailable'}:\n`,
    `${indent}ICMP to stack:${gap(verbose)}${protocolText(icmp, unknown?.icmp, verbose)}\n`,
    `${indent}HTTP to agent:${gap(verbose)}${protocolText(http, unknown?.http, verbose)}\n`,
  ].join('');
}

function protocolText(
  protocol: ProtocolStatus | null | undefined,
  reason: string | null | undefined,
  verbose: boolean,
): string {
  if (!protocol) return reason ? `unknown (${escapeText(reason)})` : 'unknown';
  const result = protocol.status
    ? escapeText(protocol.status)
    : `OK, RTT=${formatDurationNs(protocol.latency ?? 0)}`;
  // Nearly all of the thousands of lines that are printed take this fast path.
  if (!verbose && !protocol.tainted && !protocol.lossy && !protocol.slow) return result;
  const parts = [result];
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

function figures({ min, p50, p95, max }: ProtocolStatus): string[] {
  const known = { min, p50, p95, max };
  return Object.entries(known).flatMap(([name, ns]) =>
    ns === undefined ? [] : [`${name}=${formatDurationNs(ns)}`],
  );
}
