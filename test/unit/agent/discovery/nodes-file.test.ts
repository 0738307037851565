import { describe, expect, test } from 'vitest';
import { parseNodesFile } from '../../../../agent/discovery/nodes-file.js';
import { withoutAddress } from '../../../../agent/model/without-address.js';

const nodes = (text: string) => parseNodesFile(text, { clusterName: 'c1' });
const one = (host: string) => nodes(`nodes: [{name: a, host: ${JSON.stringify(host)}}]`);

describe('parseNodesFile', () => {
  test('reads names with and without a cluster, one address or many, both families', () => {
    const text = `nodes:
  - name: cluster1/node1
    host: [198.51.100.1, "2001:DB8::1"]
    endpoint: [10.244.1.2]
  - name: node2
    host: 198.51.100.2
  - name: node3`;
    expect(nodes(text)).toEqual([
      { name: 'cluster1/node1', host: ['198.51.100.1', '2001:db8::1'], endpoint: ['10.244.1.2'] },
      { name: 'c1/node2', host: ['198.51.100.2'], endpoint: [] },
      { name: 'c1/node3', host: [], endpoint: [], lifecycle: withoutAddress },
    ]);
  });

  test('excludes a node without a host address, as the other sources do', () => {
    const lifecycles = nodes(`nodes:
  - {name: a, host: null}
  - {name: b, host: []}
  - {name: c, endpoint: 10.244.1.2}
  - {name: d, host: 198.51.100.4}`).map(({ lifecycle }) => lifecycle);
    expect(lifecycles).toEqual([withoutAddress, withoutAddress, withoutAddress, undefined]);
  });

  test('reads JSON of the same shape', () => {
    expect(nodes('{"nodes": [{"name": "a", "host": "198.51.100.1"}]}')).toHaveLength(1);
  });

  test('keeps the labels that nodes are grouped by', () => {
    const text = `nodes:
  - {name: a, zone: z, labels: {rack: r1, constructor: c, os: Debian GNU/Linux 13 (trixie)}}
  - {name: b, labels: {rack: r2}}
  - {name: c, labels: {}}`;
    const labels = (groupBy?: readonly string[]) =>
      parseNodesFile(text, { clusterName: 'c', groupBy }).map((node) => node.labels);
    const first = { rack: 'r1', constructor: 'c', os: 'Debian GNU/Linux 13 (trixie)' };
    expect(labels()).toEqual([first, { rack: 'r2' }, undefined] as unknown[]);
    expect(labels(['constructor', 'toString', 'zone'])).toEqual([
      { constructor: 'c' },
      undefined,
      undefined,
    ]);
  });

  test('keeps at most eight labels with the zone, the first that come', () => {
    const labels = Array.from({ length: 9 }, (_, n) => `l${n}: x`).join();
    const kept = (more: string) =>
      Object.keys(nodes(`nodes: [{name: a, labels: {${labels}}${more}}]`)[0]?.labels ?? {});
    expect(kept('')).toHaveLength(8);
    expect(kept(', zone: z')).toEqual(['l0', 'l1', 'l2', 'l3', 'l4', 'l5', 'l6']);
  });

  test('takes an empty list', () => {
    expect(nodes('nodes: []')).toEqual([]);
  });

  test('takes a hundred thousand nodes', () => {
    const listed = Array.from({ length: 100_000 }, (_, i) => ({
      name: `n${i}`,
      host: `127.${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`,
    }));
    expect(nodes(JSON.stringify({ nodes: listed }))).toHaveLength(100_000);
  });

  test.each([
    ['a: [', 'expected YAML'],
    ['{"nodes": [', 'expected YAML'],
    ['', 'the file: expected a mapping with nodes, got null'],
    ['just text', 'got "just text"'],
    ['nodes: 7', 'nodes: expected a list of nodes, got 7'],
    ['node: []', 'the file: expected no keys but nodes, got "node"'],
    ['nodes: [a]', 'nodes[0]: expected a mapping with name, host, endpoint, zone, labels, got "a"'],
    ['nodes: [{}]', 'nodes[0].name: expected name or cluster/name'],
    [
      'nodes: [{name: 7}]',
      'nodes[0].name: expected name or cluster/name, each of 1 to 253 letters, digits, - _ ., got 7',
    ],
    ['nodes: [{name: a/b/c}]', 'got "a/b/c"'],
    ['nodes: [{name: "/a"}]', 'got "/a"'],
    ['nodes: [{name: "a b"}]', 'got "a b"'],
    ['nodes: [{name: "\\e[31m"}]', 'got "\\x1b[31m"'],
    [
      'nodes: [{name: a, hosts: 1.2.3.4}]',
      'nodes[0]: expected no keys but name, host, endpoint, zone, labels, got "hosts"',
    ],
    ['nodes: [{name: a, host: 7}]', 'nodes[0].host: expected an IP address, got 7'],
    [
      'nodes: [{name: a, host: [198.51.100.1, null]}]',
      'nodes[0].host[1]: expected an IP address, got null',
    ],
    [
      'nodes: [{name: a}, {name: c1/a}]',
      'nodes[1].name: expected something not listed before (see nodes[0].name), got "c1/a"',
    ],
    [
      'nodes: [{name: a, host: 198.51.100.1}, {name: b, endpoint: 198.51.100.1}]',
      'nodes[1].endpoint: expected something not listed before (see nodes[0].host)',
    ],
    [
      'nodes: [{name: a, host: ["2001:db8::1", "2001:DB8:0::1"]}]',
      'nodes[0].host[1]: expected something not listed before',
    ],
    [
      'nodes: [{name: a, labels: [r1]}]',
      'nodes[0].labels: expected a mapping of label names to values',
    ],
    [
      'nodes: [{name: a, labels: {rack: 7}}]',
      'nodes[0].labels.rack: expected a text of 1 to 127 printable ASCII characters (a number in quotes), got 7',
    ],
    ['nodes: [{name: a, labels: {rack: ""}}]', 'nodes[0].labels.rack: expected a text of 1 to 127'],
    ['nodes: [{name: a, labels: {rack: "\\e[31m"}}]', 'got "\\x1b[31m"'],
    ['nodes: [{name: a, labels: {rack: "\\u202e"}}]', 'nodes[0].labels.rack: expected a text'],
    [`nodes: [{name: a, labels: {rack: ${'x'.repeat(128)}}}]`, 'nodes[0].labels.rack: expected'],
    [
      'nodes: [{name: a, labels: {"\\e[31m": x}}]',
      'nodes[0].labels: expected label names of 1 to 63',
    ],
    ['nodes: [{name: a, labels: {__proto__: x}}]', 'nodes[0].labels: expected label names of'],
    [
      'nodes: [{name: a, labels: {zone: b}}]',
      'nodes[0].labels: expected no label for the zone, which is a key of its own, got "zone"',
    ],
    [
      `nodes: [{name: a, labels: {${Array.from({ length: 65 }, (_, n) => `l${n}: x`).join()}}}]`,
      'nodes[0].labels: expected at most 64 labels, got 65',
    ],
  ])('refuses %j', (text, words) => {
    expect(() => nodes(text)).toThrow(words);
  });

  test.each([
    ['node1.example.org', 'expected an IP address, got "node1.example.org"'],
    ['300.1.1.1', 'expected an IP address'],
    ['198.51.100.1/24', 'expected an IP address'],
    ['198.051.100.1', 'expected an IP address'],
    ['0.0.0.0', 'expected the address of one host'],
    ['::', 'expected the address of one host'],
    ['224.0.0.1', 'not multicast'],
    ['ff02::1', 'not multicast'],
    ['255.255.255.255', 'not multicast, broadcast or reserved'],
    ['fe80::1%eth0', 'expected an address without a zone'],
    ['fe80::1', 'not link-local'],
    ['::ffff:198.51.100.1', 'expected an IPv4 address written as such'],
  ])('refuses %s as an address', (ip, words) => {
    expect(() => one(ip)).toThrow(`nodes[0].host: `);
    expect(() => one(ip)).toThrow(words);
  });

  test('shortens a five megabyte name to one line', () => {
    const name = 'x'.repeat(5_000_000);
    expect(() => nodes(JSON.stringify({ nodes: [{ name }] }))).toThrow(/^.{100,300}$/);
    expect(() => nodes(JSON.stringify({ nodes: [{ name }] }))).toThrow('(5000000 characters)');
  });

  test('does not expand a bomb of aliases', () => {
    const level = (i: number) =>
      `a${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(', ')}]`;
    const text = [
      'a0: &a0 [x]',
      ...Array.from({ length: 9 }, (_, i) => level(i + 1)),
      'nodes: *a9',
    ].join('\n');
    expect(() => nodes(text)).toThrow();
  });
});
