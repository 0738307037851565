import { formatDurationNs } from '../../api/duration.js';
import type { LargeState, NodeEntry, OwnPath } from '../../api/schema/v1/nodes.js';
import { notProbedText } from '../../api/schema/v1/not-probed.js';
import { troublesOf } from '../../api/schema/v1/path-words.js';
import { seenByText } from '../../api/schema/v1/seen-by.js';
import type { NotProbed } from '../../api/schema/v1/summary.js';
import { countText } from './age-text.js';
import { escapeText } from './escape.js';
import { alignColumns } from './tab-writer.js';

const noValue = '-';

/**
 * Prints one line for each node, below a line that counts them by their verdict and says what the agent does
 * not probe.
 */
export function renderNodes(
  nodes: readonly NodeEntry[],
  notProbed: readonly NotProbed[] = [],
): string {
  const title = `${titleOf(nodes)}${notProbedSuffix(notProbed)}`;
  if (nodes.length === 0) return `${title}\n`;
  const hasZones = nodes.some(({ zone }) => zone !== undefined);
  const head = ['Name', ...(hasZones ? ['Zone'] : []), 'Verdict', 'Seen by'];
  const channels = ['Host ICMP', 'Host HTTP', 'Endpoint ICMP', 'Endpoint HTTP'];
  const table = alignColumns([
    [...head, ...channels].join('\t'),
    ...nodes.map((node) => nodeLine(node, hasZones)),
  ]);
  return `${title}\n\n${table}`;
}

/** What follows a verdict that knows nothing of a protocol: `; ICMP is not probed (no permission)`. */
export function notProbedSuffix(notProbed: readonly NotProbed[]): string {
  const text = notProbedText(notProbed);
  return text === undefined ? '' : `; ${escapeText(text)}`;
}

function titleOf(nodes: readonly NodeEntry[]): string {
  const counts = new Map<string, number>();
  for (const { verdict } of nodes) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const parts = [...counts].map(([verdict, count]) => `${count} ${verdict}`);
  const all = countText(nodes.length, 'node');
  return parts.length > 0 ? `${all}: ${parts.join(', ')}` : all;
}

function nodeLine(node: NodeEntry, hasZones: boolean): string {
  const { name, zone = noValue, verdict, lifecycle, seenBy, paths } = node;
  const { phase, reason } = lifecycle;
  const why = [...(phase === verdict ? [] : [phase]), ...(reason === undefined ? [] : [reason])];
  const isExpected = phase === 'active';
  return [
    escapeText(name),
    ...(hasZones ? [escapeText(zone)] : []),
    isExpected ? verdict : `${verdict} (${why.map(escapeText).join(': ')})`,
    isExpected ? seenByText(seenBy) : noValue,
    pathText(paths.host.icmp),
    pathText(paths.host.http, paths.host.large),
    pathText(paths.endpoint?.icmp),
    pathText(paths.endpoint?.http, paths.endpoint?.large),
  ].join('\t');
}

/** A round trip if the node answers, else the state. */
export function pathText(path: OwnPath | undefined, large?: LargeState): string {
  if (!path) return noValue;
  const { state, rttNs } = path;
  if (state !== 'reachable') return state;
  const troubles = [
    ...troublesOf(path),
    ...(large?.state === 'lost' ? ['large packets lost'] : []),
  ].join(', ');
  const rtt = rttNs === undefined ? state : formatDurationNs(rttNs);
  return troubles === '' ? rtt : `${rtt} (${troubles})`;
}
