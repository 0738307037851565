import { ConfigError } from '../platform/errors.js';
import { formatValue } from '../platform/format-value.js';
import { readJson } from '../platform/read-json.js';
import { readYaml } from '../platform/read-yaml.js';
import { readWithPositions } from '../platform/with-position.js';
import { isZoneLabel } from '../../api/schema/v1/zone-label.js';
import { readAddress } from '../model/address.js';
import { isZoneName, type Node } from '../model/node.js';
import {
  chosenLabels,
  groupLabelsOf,
  isLabelName,
  isLabelValue,
  labelNameForm,
  labelOf,
  type NodeLabels,
} from '../model/node-labels.js';
import { isName, nameForm } from '../model/node-name.js';
import { withoutAddress } from '../model/without-address.js';
import { nodeKeys } from './nodes-file-keys.js';

/** Far more than anybody writes of one node. */
const mostLabels = 64;

/** What decides how a nodes file is read. */
export interface NodesFileOptions {
  /** Goes before names that carry no cluster. */
  readonly clusterName: string;
  /** The labels that are kept; left out, as many as nodes are grouped by. */
  readonly groupBy?: readonly string[] | undefined;
}

/**
 * Reads the text of a nodes file (YAML or JSON). One mistake refuses the whole file.
 * @throws ConfigError that names the place, what was expected and what was got, and the line
 */
export function parseNodesFile(text: string, options: NodesFileOptions): Node[] {
  return readWithPositions(text, () => parseNodes(text, options));
}

function parseNodes(text: string, { clusterName, groupBy }: NodesFileOptions): Node[] {
  // A JSON file is YAML too; JSON.parse reads 100,000 nodes in a tenth of the time.
  const file = asMapping(readJson(text) ?? readYaml(text), '', ['nodes']);
  const listed = file['nodes'];
  if (!Array.isArray(listed)) fail('nodes', 'a list of nodes', listed);
  const places = new Map<string, string>();
  const names = new Map<string, string>();
  const nodes = listed.map((item: unknown, index): Node => {
    const at = `nodes[${index}]`;
    const node = asMapping(item, at, Object.keys(nodeKeys));
    const name = readName(node['name'], clusterName, `${at}.name`);
    claim(names, name, `${at}.name`);
    const plane = (key: 'host' | 'endpoint') => readPlane(node[key], `${at}.${key}`, places);
    const zone = readZone(node['zone'], `${at}.zone`);
    const planes = { host: plane('host'), endpoint: plane('endpoint') };
    const labels = readLabels(node['labels'], `${at}.labels`);
    return {
      name,
      ...planes,
      ...(planes.host.length === 0 && { lifecycle: withoutAddress }),
      ...(zone !== undefined && { zone }),
      ...(labels && { labels }),
    };
  });
  const kept = groupBy ?? groupLabelsOf(nodes);
  return nodes.map(({ labels, ...node }) => {
    const some = labels && chosenLabels(kept, (label) => labelOf({ labels }, label));
    return some ? { ...node, labels: some } : node;
  });
}

function readName(value: unknown, clusterName: string, at: string): string {
  const [name = '', cluster = clusterName, ...rest] =
    typeof value === 'string' ? value.split('/').reverse() : [];
  if (rest.length > 0 || !isName(name) || !isName(cluster)) {
    fail(at, `name or cluster/name, each of ${nameForm}`, value);
  }
  return `${cluster}/${name}`;
}

function readZone(value: unknown, at: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || !isZoneName(value)) {
    fail(at, 'a zone of 1 to 127 letters, digits, - _ . /', value);
  }
  return value;
}

function readLabels(value: unknown, at: string): NodeLabels | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    fail(at, 'a mapping of label names to values', value);
  }
  const entries = Object.entries(value);
  if (entries.length > mostLabels) fail(at, `at most ${mostLabels} labels`, entries.length);
  for (const [label, text] of entries) {
    if (isZoneLabel(label)) fail(at, 'no label for the zone, which is a key of its own', label);
    if (!isLabelName(label)) fail(at, `label names of ${labelNameForm}`, label);
    if (typeof text !== 'string' || !isLabelValue(text)) {
      fail(
        `${at}.${label}`,
        'a text of 1 to 127 printable ASCII characters (a number in quotes)',
        text,
      );
    }
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function readPlane(value: unknown, at: string, places: Map<string, string>): string[] {
  if (value === undefined || value === null) return [];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item, index) => {
    const place = Array.isArray(value) ? `${at}[${index}]` : at;
    if (typeof item !== 'string') fail(place, 'an IP address', item);
    const address = readAddress(item);
    if ('refused' in address) fail(place, address.refused, item);
    claim(places, address.ip, place);
    return address.ip;
  });
}

function claim(taken: Map<string, string>, value: string, at: string): void {
  const earlier = taken.get(value);
  if (earlier !== undefined) fail(at, `something not listed before (see ${earlier})`, value);
  taken.set(value, at);
}

/** @param at empty for the whole file */
function asMapping(value: unknown, at: string, keys: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fail(at, `a mapping with ${keys.join(', ')}`, value);
  }
  const unknownKey = Object.keys(value).find((key) => !keys.includes(key));
  if (unknownKey !== undefined) {
    const place = at === '' ? unknownKey : `${at}.${unknownKey}`;
    fail(at, `no keys but ${keys.join(', ')}`, unknownKey, place);
  }
  return value as Record<string, unknown>;
}

function fail(at: string, expected: string, got: unknown, place = at): never {
  const where = at === '' ? 'the file' : at;
  throw new ConfigError(`${where}: expected ${expected}, got ${formatValue(got)}`, place);
}
