import { LineCounter, parseDocument } from 'yaml';
import { ConfigError, messageOf } from '../platform/errors.js';
import { escapeControls, formatValue } from '../platform/format-value.js';
import { readAddress } from '../model/address.js';
import { isZoneName, type Node } from '../model/node.js';
import { isName, nameForm } from '../model/node-name.js';
import { nodeKeys } from './nodes-file-keys.js';
import { findRepeatedKey } from './repeated-key.js';

/**
 * Reads the text of a nodes file (YAML or JSON). One mistake refuses the whole file.
 * @param clusterName goes before names that carry no cluster
 * @throws ConfigError that names the place, what was expected and what was got
 */
export function parseNodesFile(text: string, clusterName: string): Node[] {
  const file = asMapping(parse(text), 'the file', ['nodes']);
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

function parse(text: string): unknown {
  // A JSON file is YAML too; JSON.parse reads 100,000 nodes in a tenth of the time.
  const json = text.trimStart().startsWith('{') ? parseJson(text) : undefined;
  if (json !== undefined) {
    const repeated = findRepeatedKey(text);
    if (repeated) {
      const [at, line] = [escapeControls(repeated.path, 200), repeated.line];
      throw new ConfigError(`${at}: expected this key once, got it again in line ${line}`);
    }
    return json;
  }
  try {
    const document = parseDocument(text, { lineCounter: new LineCounter() });
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    // Nested too deep, it runs out of stack; with too many aliases, toJS refuses.
    throw new ConfigError(`expected YAML, got an error: ${firstLine(error)}`);
  }
}

/** Undefined where it is no JSON: then YAML says what is wrong, and where. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

/** Further lines of the YAML library's message quote the file. */
function firstLine(error: unknown): string {
  return escapeControls(messageOf(error).split('\n', 1)[0] ?? '', 200);
}
