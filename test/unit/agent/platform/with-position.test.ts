import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ConfigError } from '../../../../agent/platform/errors.js';
import { parseNodesFile } from '../../../../agent/discovery/nodes-file.js';
import { readMapping } from '../../../../agent/platform/fields.js';
import { readWithPositions, withPosition } from '../../../../agent/platform/with-position.js';

const yaml = `# hosts
nodes:
  - name: a
    host: [198.51.100.1, nowhere]
    labels:
      example.org/rack: 7
  - name: b
    host:
`;

test.each([
  ['nodes', 3, 3],
  ['nodes[0].host[1]', 4, 26],
  ['nodes[0].labels.example.org/rack', 6, 25],
  // A key without a value, a key that is missing, and an item that is.
  ['nodes[1].host', 8, 10],
  ['nodes[1].endpoint', 7, 5],
  ['nodes[7].host', 3, 3],
  ['the file', 2, 1],
])('%s stands in line %i, column %i', (place, line, column) => {
  const error = withPosition(new ConfigError(`${place}: expected more`, place), yaml);
  expect(error.message).toBe(`${place}: expected more (line ${line}, column ${column})`);
});

test('JSON has lines too', () => {
  const json = '{"nodes": [\n  {"name": "a",\n   "host": "nowhere"}\n]}';
  const error = withPosition(new ConfigError('no address', 'nodes[0].host'), json);
  expect(error.message).toBe('no address (line 3, column 12)');
});

test.each([
  ['a mistake without a place', new ConfigError('no file'), yaml],
  ['a text that is no YAML', new ConfigError('wrong', 'nodes'), '{"nodes": "\u0001'],
  ['an empty text', new ConfigError('wrong', 'nodes'), ''],
  ['a text that is nested too deep', new ConfigError('wrong', 'nodes'), '['.repeat(5000)],
])('%s stays as it is', (_, error, text) => {
  expect(withPosition(error, text)).toBe(error);
});

const readNodes = (text: string) => parseNodesFile(text, { clusterName: 'c' });
const readTargets = (text: string) =>
  readMapping({ at: 'the file', value: parse(text) as unknown }, ['targets'], '');
const readTarget = (text: string) => readMapping({ at: 'a[0]', value: item(text) }, ['name']);
const item = (text: string) => (parse(text) as { readonly a: readonly unknown[] }).a[0];

test.each([
  ['of a node', 'nodes:\n  - name: a\n    hosts: b\n', readNodes, 3, 12],
  ['of the nodes file', 'nodes: []\nmore: 1\n', readNodes, 2, 7],
  ['of the targets file', 'targets: []\nmore: 1\n', readTargets, 2, 7],
  ['of a target', 'a:\n  - name: b\n    udp: c\n', readTarget, 3, 10],
])('a key that is not known, %s, stands where it is', (_, text, read, line, column) => {
  const position = `(line ${line}, column ${column})`;
  expect(() => readWithPositions(text, () => read(text))).toThrow(position);
});
