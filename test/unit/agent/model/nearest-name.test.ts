import { describe, expect, test } from 'vitest';
import { nearestName } from '../../../../agent/model/nearest-name.js';

const list = ['c/n1', 'c/n2', 'c/worker-12', 'c/Storage', 'west/n3', 'c/db.internal', 'c/10.0.9.7'];

describe('the nearest name in a node list', () => {
  test.each([
    ['a short name for an FQDN', 'c/n1.example.com', 'c/n1'],
    ['a name that differs in case', 'c/STORAGE', 'c/Storage'],
    ['a short name in another case', 'c/N2.example.com', 'c/n2'],
    ['a name with a typo', 'c/wroker-12', 'c/worker-12'],
    ['a number with a leading zero', 'c/n02', 'c/n2'],
    ['a host of another domain', 'c/db.example.com', 'c/db.internal'],
    ['the same name in another cluster', 'c/n3', 'west/n3'],
  ])('is %s', (_, name, expected) => {
    expect(nearestName(name, list)).toBe(expected);
  });

  test('is a short one of which two letters are swapped, before one with two other typos', () => {
    expect(nearestName('c/noed2', ['c/node1', 'c/node2'])).toBe('c/node2');
    expect(nearestName('c/wroker-12', ['c/wwwker-12', 'c/worker-12'])).toBe('c/worker-12');
    expect(nearestName('c/ndoea', ['c/nodea', 'c/nxxea'])).toBe('c/nodea');
    expect(nearestName('c/edon', ['c/node'])).toBeUndefined();
  });

  test('is the FQDN of a short name', () => {
    expect(nearestName('c/n1', ['c/n11.example.com', 'c/n1.example.com'])).toBe('c/n1.example.com');
  });

  test('is one of the same host before one in another case, and that before one with a typo', () => {
    const names = ['c/nodes', 'c/NODE', 'c/node.example.com'];
    expect(nearestName('c/node', names)).toBe('c/node.example.com');
    expect(nearestName('c/node', names.slice(0, 2))).toBe('c/NODE');
    expect(nearestName('c/node', names.slice(0, 1))).toBe('c/nodes');
  });

  test('is one of the own cluster first, and the same whatever the order', () => {
    const names = ['b/n1', 'c/n1', 'a/n1'];
    expect(nearestName('c/n1.example.com', names)).toBe('c/n1');
    expect(nearestName('d/n1', names)).toBe('a/n1');
    expect(nearestName('d/n1', names.toReversed())).toBe('a/n1');
  });

  test('is the lowest of equally near ones, whatever the order', () => {
    const names = ['c/nodey', 'c/nodex', 'c/nodez'];
    expect(nearestName('c/node', names)).toBe('c/nodex');
    expect(nearestName('c/node', names.toReversed())).toBe('c/nodex');
  });

  test.each([
    ['another number', 'c/n4'],
    ['another number in an FQDN', 'c/n12.example.com'],
    ['another name', 'c/database'],
    ['nothing', ''],
    ['an IP address that begins like another', 'c/10.0.0.1'],
  ])('is none for %s', (_, name) => {
    expect(nearestName(name, list)).toBeUndefined();
  });

  test('is none for a name that is listed, or without names', () => {
    expect(nearestName('c/n1', ['c/n1.example.com', 'c/n1'])).toBeUndefined();
    expect(nearestName('c/n1', [])).toBeUndefined();
  });
});
