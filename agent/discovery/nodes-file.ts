import { ConfigError } from '../platform/errors.js';
import { formatValue } from '../platform/format-value.js';
import { readJson } from '../platform/read-json.js';
import { readYaml } from '../platform/read-yaml.js';
import { readAddress } from '../model/address.js';
import { isZoneName, type Node } from '../model/node.js';
import { isName, nameForm } from '../model/node-name.js';
import { nodeKeys } from './nodes-file-keys.js';

/**
 * Reads the text of a nodes file (YAML or JSON). One mistake refuses the whole file.
 * @param clusterName goes before names that carry no cluster
 * @throws ConfigError that names the place, what was expected and what was got
 */
export function parseNodesFile(text: string, clusterName: string): Node[] {
  // A JSON file is YAML too; JSON.parse reads 100,000 nodes in a tenth of the time.
  const file = asMapping(readJson(text) ?? readYaml(text), 'the file', ['nodes']);
  const listed = file['nodes'];
  if (!Array.isArray(listed)) fail('nodes', 'a list of nodes', listed);
  const places = new Map<string, string>();
  const names = new Map<string, string>();
  return listed.map((item: unknown, index): Node => {
    const at = `nodes[${index}]`;
    const node = asMapping(item, at, Object.keys(nodeKeys));
    const name = readName(node['name'], clusterName, `${at}.name`);
    claim(names, name, `${at}.name`);
    const plane = (key: 'host' | 'endpoint') => readPlane(node[key], `${at}.${key}`, places);
    const zone = readZone(node['zone'], `${at}.zone`);
    const planes = { host: plane('host'), endpoint: plane('endpoint') };
    return { name, ...planes, ...(zone !== undefined && { zone }) };
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

function asMapping(value: unknown, at: string, keys: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fail(at, `a mapping with ${keys.join(', ')}`, value);
  }
  const unknownKey = Object.keys(value).find((key) => !keys.includes(key));
  if (unknownKey !== undefined) fail(at, `no keys but ${keys.join(', ')}`, unknownKey);
  return value as Record<string, unknown>;
}

function fail(at: string, expected: string, got: unknown): never {
  throw new ConfigError(`${at}: expected ${expected}, got ${formatValue(got)}`);
}
