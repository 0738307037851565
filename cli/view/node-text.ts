import type { Plane } from '../../api/schema/v1/fields.js';
import type { Finding } from '../../api/schema/v1/findings.js';
import type { NodeEntry, OwnPath } from '../../api/schema/v1/nodes.js';
import type { NotProbed } from '../../api/schema/v1/summary.js';
import type { Paint } from './colour.js';
import { reachText } from './diagnosis-text.js';
import { escapeText } from './escape.js';
import { notProbedSuffix, pathText } from './nodes-text.js';
import { changeLine, signLine } from './sign-text.js';
import { alignColumns } from './tab-writer.js';

/** What all observers together see of a node, and what the agent that answers does not probe. */
export function verdictText(
  { name, verdict, seenBy }: NodeEntry,
  notProbed: readonly NotProbed[],
): string {
  return `${escapeText(name)} is ${verdict}: ${reachText(seenBy, ' at all first addresses that they probe')}${notProbedSuffix(notProbed)}`;
}

/** All that is known of one node: who reaches it, the paths to it, what its host shows, and the findings about it. */
export function renderNode(
  node: NodeEntry,
  findings: readonly Finding[],
  notProbed: readonly NotProbed[],
  paint: Paint,
): string {
  const { zone, labels = {}, lifecycle, known, paths, signs = [], changes = [] } = node;
  const { phase, reason } = lifecycle;
  const why = reason === undefined ? phase : `${phase}: ${reason}`;
  return alignColumns([
    verdictText(node, notProbed),
    ...(zone === undefined ? [] : [`  Zone\t${escapeText(zone)}`]),
    ...Object.entries(labels)
      .filter(([label]) => label !== 'zone' && label !== 'topology.kubernetes.io/zone')
      .map(([label, value]) => `  Label\t${escapeText(label)}=${escapeText(value)}`),
    `  Lifecycle\t${escapeText(why)}${known === undefined ? '' : `, ${escapeText(known)}`}`,
    ...planeLines('Host', addressTexts('host', node), paths.host),
    ...planeLines('Endpoint', addressTexts('endpoint', node), paths.endpoint),
    ...signs.map((sign) => `  Sign\t${signLine(sign, paint)}`),
    ...changes.map((change) => `  Change\t${changeLine(change, paint)}`),
    ...findings.map(
      ({ severity, text }) =>
        `  Finding\t${paint(severity === 'broken' ? 'red' : 'yellow', severity.toUpperCase())}  ${escapeText(text)}`,
    ),
  ]);
}

function addressTexts(plane: Plane, { addresses, unreachableAddresses = [] }: NodeEntry): string[] {
  return addresses[plane].map(
    (ip) => `${escapeText(ip)}${unreachableAddresses.includes(ip) ? ' (does not answer)' : ''}`,
  );
}

function planeLines(
  title: string,
  addresses: readonly string[],
  paths: NodeEntry['paths']['endpoint'],
): string[] {
  const { icmp, http, large } = paths ?? {};
  const known = (name: string, path: OwnPath | undefined) =>
    path ? [`${name} ${pathText(path, name === 'HTTP' ? large : undefined)}`] : [];
  const seen = [...known('ICMP', icmp), ...known('HTTP', http)].join(', ');
  if (addresses.length === 0) return [];
  return [`  ${title}\t${addresses.join(', ')}${seen === '' ? '' : `: ${seen}`}`];
}
