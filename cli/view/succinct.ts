import type { NodeStatus, PathStatus, State, Status } from '../../api/schema/status.js';
import { escapeText } from './escape.js';
import { orderNodes } from './node-order.js';
import { addressesOf, worstState } from './plane-state.js';
import { alignColumns } from './tab-writer.js';

/** One line a node, as `cilium-health status --succinct` prints it. */
export function renderSuccinct(status: Status): string {
  const rows = orderNodes(status).map((node) => ({ node, ...planesOf(node) }));
  const overall = rows.map(({ host, endpoint }) => overallOf(host, endpoint));
  const count = (state: State) => overall.filter((one) => one === state).length;
  const unknown = count('unknown') > 0 ? `, ${count('unknown')} unknown` : '';
  return alignColumns([
    `Cluster health:\t${count('reachable')}/${rows.length} reachable${unknown}\t(${escapeText(status.timestamp)})`,
    '  Name\tIP\tNode\tEndpoints',
    ...rows.map(({ node, host, endpoint, hostNote, endpointNote }) => {
      const name = escapeText(node.name) + (node.name === status.local.name ? ' (localhost)' : '');
      const ip = addressesOf(node.host)[0]?.ip;
      return `  ${name}\t${ip ? escapeText(ip) : 'Unavailable'}\t${host}${hostNote}\t${endpoint ?? '-'}${endpointNote}`;
    }),
  ]);
}

function planesOf(node: NodeStatus) {
  const endpoint = addressesOf(node['health-endpoint']);
  return {
    host: worstState(addressesOf(node.host)),
    endpoint: endpoint.length > 0 ? worstState(endpoint) : undefined,
    hostNote: degradedNote(addressesOf(node.host)),
    endpointNote: degradedNote(endpoint),
  };
}

function degradedNote(paths: readonly PathStatus[]): string {
  const isDegraded = paths.some(({ icmp, http }) => icmp?.degraded || http?.degraded);
  return isDegraded && worstState(paths) === 'reachable' ? ' (degraded)' : '';
}

function overallOf(host: State, endpoint: State | undefined): State {
  const states = [host, endpoint];
  if (states.includes('unreachable')) return 'unreachable';
  return states.includes('unknown') ? 'unknown' : 'reachable';
}
