import type { NodeStatus, PathStatus, State, Status } from '../../api/schema/status.js';
import { troublesOf, type PathTrouble } from '../../api/schema/v1/path-words.js';
import { escapeText } from './escape.js';
import { isActive, lifecycleNote } from './lifecycle.js';
import { orderNodes } from './node-order.js';
import { addressesOf, worstState } from './plane-state.js';
import { alignColumns } from './tab-writer.js';

/** Phases of nodes that are listed and probed but not counted. */
const phases = ['joining', 'leaving', 'excluded'] as const;

/** Prints one line for each node, as `cilium-health status --succinct` up to Cilium 1.16 does. */
export function renderSuccinct(status: Status): string {
  const rows = orderNodes(status).map((node) => ({ node, ...planesOf(node) }));
  const active = rows.filter(({ node }) => isActive(node));
  const overall = active.map(({ host, endpoint }) => overallOf(host, endpoint));
  const count = (state: State) => overall.filter((one) => one === state).length;
  const unknown = count('unknown') > 0 ? `, ${count('unknown')} unknown` : '';
  const others = phases.map((phase) => {
    const number = rows.filter(({ node }) => node.lifecycle?.phase === phase).length;
    return number > 0 ? `, ${number} ${phase}` : '';
  });
  return alignColumns([
    `Cluster health:\t${count('reachable')}/${active.length} reachable${unknown}${others.join('')}\t(${escapeText(status.timestamp)})`,
    '  Name\tIP\tNode\tEndpoints',
    ...rows.map(({ node, ip, host, endpoint, hostNote, endpointNote }) => {
      const local = node.name === status.local.name ? ' (localhost)' : '';
      const name = escapeText(node.name) + local + lifecycleNote(node);
      return `  ${name}\t${ip ? escapeText(ip) : 'Unavailable'}\t${host}${hostNote}\t${endpoint ?? '-'}${endpointNote}`;
    }),
  ]);
}

function planesOf(node: NodeStatus) {
  const host = addressesOf(node.host);
  const endpoint = addressesOf(node['health-endpoint']);
  return {
    ip: host[0]?.ip,
    host: worstState(host),
    endpoint: endpoint.length > 0 ? worstState(endpoint) : undefined,
    hostNote: troublesNote(host),
    endpointNote: troublesNote(endpoint),
  };
}

function troublesNote(paths: readonly PathStatus[]): string {
  if (worstState(paths) !== 'reachable') return '';
  const troubles = new Set<PathTrouble>();
  for (const { icmp, http } of paths) {
    for (const protocol of [icmp, http]) {
      if (protocol) for (const trouble of troublesOf(protocol)) troubles.add(trouble);
    }
  }
  return troubles.size > 0 ? ` (${[...troubles].sort().join(', ')})` : '';
}

function overallOf(host: State, endpoint: State | undefined): State {
  const states = [host, endpoint];
  if (states.includes('unreachable')) return 'unreachable';
  return states.includes('unknown') ? 'unknown' : 'reachable';
}
