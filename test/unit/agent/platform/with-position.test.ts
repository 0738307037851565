import { expect, test } from 'vitest';
import { ConfigError } from '../../../../agent/platform/errors.js';
import { withPosition } from '../../../../agent/platform/with-position.js';

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
