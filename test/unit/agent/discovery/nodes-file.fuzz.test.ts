import { describe, expect, test } from 'vitest';
import type { Node } from '../../../../agent/model/node.js';
import { parseNodesFile } from '../../../../agent/discovery/nodes-file.js';
import { findRepeatedKey } from '../../../../agent/platform/repeated-key.js';
import { ConfigError } from '../../../../agent/platform/errors.js';
import { mutate, Random } from '../../../fuzz/random.js';
import { fuzzScale } from '../../../fuzz/scale.js';

const yaml = `# a comment
nodes:
  - name: cluster1/node1
    host: [198.51.100.1, "2001:db8::1"]
    endpoint: [10.244.1.2]
  - &x
    name: 'node2'
    host: 198.51.100.2
  - {name: node3, endpoint: ["fd00::3"], labels: {rack: r1, example.com/os: 'a b'}}
`;
const json = JSON.stringify({
  nodes: [
    { name: 'cluster1/node1', host: ['198.51.100.1', '2001:db8::1'], endpoint: ['10.244.1.2'] },
    { name: 'node2', host: '198.51.100.2', labels: { rack: 'r1' } },
  ],
});
const name = /^[A-Za-z0-9_.-]{1,253}\/[A-Za-z0-9_.-]{1,253}$/;

/** The parser must return valid nodes, or refuse in one short line that a terminal can show. */
function readOrRefuse(text: string): Node[] | string {
  try {
    const nodes = parseNodesFile(text, { clusterName: 'c' });
    for (const node of nodes) {
      expect(node.name).toMatch(name);
      const lifecycle = node.host.length === 0 ? ',lifecycle' : '';
      const labels = node.labels ? ',labels' : '';
      expect(Object.keys(node).join()).toBe(`name,host,endpoint${lifecycle}${labels}`);
      for (const text of Object.entries(node.labels ?? {}).flat()) {
        expect(text).toMatch(/^[\x20-\x7e]{1,317}$/);
      }
      for (const ip of [...node.host, ...node.endpoint]) expect(ip).toMatch(/^[0-9a-f.:]+$/);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    return nodes;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,400}$/u);
    return error.message;
  }
}

describe('the nodes file parser', () => {
  test.each([
    ['YAML', yaml],
    ['JSON', json],
  ])('reads or refuses %s with random changes, and never does anything else', (_, valid) => {
    const random = new Random(5);
    const outcomes = Array.from(
      { length: fuzzScale(100) },
      () => typeof readOrRefuse(mutate(Buffer.from(valid), random).toString('utf8')),
    );
    expect(new Set(outcomes)).toEqual(new Set(['object', 'string']));
  });

  test.each([
    ['lists', '[', ']'],
    ['mappings', '{"nodes":', '}'],
    ['lists in YAML', '- ', ''],
    ['flow mappings in YAML', '{? ', '}'],
    ['lists of a JSON file', '{"nodes": [', ']}'],
  ])('refuses %s nested very deep', (_, open, close) => {
    const depth = fuzzScale(20_000);
    const text = open.repeat(depth) + '1' + close.repeat(depth);
    expect(typeof readOrRefuse(text)).toBe('string');
  });

  test('refuses huge scalars in one line, wherever they stand', () => {
    const huge = 'x'.repeat(fuzzScale(500_000));
    for (const text of [
      huge,
      `${huge}: 1`,
      `nodes: ${huge}`,
      `nodes: [{name: ${huge}}]`,
      `nodes: [{name: a, host: ${huge}}]`,
      `nodes: [{name: a, ${huge}: b}]`,
      `nodes: [{name: a, host: ${'9'.repeat(fuzzScale(50_000))}}]`,
      `{"${huge}": 1, "${huge}": 2}`,
    ]) {
      expect(typeof readOrRefuse(text)).toBe('string');
    }
  });

  test.each([
    '{"nodes": [], "__proto__": {"polluted": 1}}',
    '{"nodes": [{"name": "a", "__proto__": {"polluted": 1}}]}',
    '{"nodes": [{"name": "a", "constructor": {"prototype": {"polluted": 1}}}]}',
    'nodes: []\n__proto__: {polluted: 1}',
    'nodes: [{name: a, __proto__: {polluted: 1}}]',
    'nodes: [{name: a, toString: x}]',
    '{"__proto__": {"nodes": []}}',
    'nodes: {__proto__: [], length: 1, 0: {name: a}}',
    '%YAML 1.1\n---\nnodes: [!!set {name}]',
    '%YAML 1.1\n---\nnodes: !!omap [name: a]',
    'nodes: [{<<: {name: a}}]',
    '? {nodes: []}\n: 1',
  ])('refuses %j', (text) => {
    expect(typeof readOrRefuse(text)).toBe('string');
  });

  test.each([
    ['{"nodes": [], "nodes": []}', 'nodes: expected this key once, got it again in line 1'],
    [
      '{"nodes": [{"name": "a"},\n{"name": "b",\n"n\\u0061me": "c"}]}',
      'nodes[1].name: expected this key once, got it again in line 3',
    ],
    [
      '{"nodes": [{"name": "a", "host": [{"\\u001b": 1, "\\u001b": 2}]}]}',
      'nodes[0].host[0].\\x1b: expected this key once, got it again in line 1',
    ],
    ['nodes: []\nnodes: []', 'Map keys must be unique'],
    ['nodes: [{name: a, name: b}]', 'Map keys must be unique'],
  ])('refuses a key that stands twice in %j, and says where', (text, words) => {
    expect(readOrRefuse(text)).toContain(words);
  });

  test('finds duplicate keys only inside one object, and not in texts', () => {
    for (const value of [
      [{ a: 1 }, { a: 1 }, 'a', 'a', ['a', 'a']],
      {
        a: { a: { a: 'a' } },
        b: ['a', { a: 1 }],
        c: 'a":"a',
        d: '\\',
        e: '\\"',
        f: '{"a":1,"a":2}',
      },
      { 'a,b': 1, 'a:b': 2, '\\': 3, '"': 4, '\\"': 5, '': 6, '[': 7 },
    ]) {
      expect(findRepeatedKey(JSON.stringify(value))).toBeUndefined();
      expect(findRepeatedKey(JSON.stringify(value, null, 2))).toBeUndefined();
    }
  });

  test('escapes what a broken file holds where the YAML library quotes it', () => {
    for (const text of ['nodes: "\u001b[31m\n', '\u001b[31m: [', 'nodes: @\u202e', '*\u001b]0;x']) {
      expect(readOrRefuse(text)).toMatch(/^expected YAML, got an error: /);
    }
    expect(readOrRefuse('nodes: *\u001b31m')).toContain('alias): \\x1b31m');
  });
});
