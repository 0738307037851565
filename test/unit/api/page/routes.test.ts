import { describe, expect, test } from 'vitest';
import {
  allEvents,
  allNodes,
  firstMatrix,
  parseRoute,
  urlOf,
  type Route,
} from '../../../../api/page/model/routes.js';
import { Random } from '../../../fuzz/random.js';

function throughUrl(route: Route): Route {
  return parseRoute(new URL(urlOf(route), 'http://127.0.0.1:4242'));
}

const matrix = { plane: 'endpoint', protocol: 'http' } as const;
const hostile = [
  'a',
  '',
  '.',
  '..',
  '~',
  '~~',
  '~.',
  'a/b',
  '%2F',
  '%',
  '?x#y',
  '../..',
  '\u202e',
  '日本',
];

describe('routes', () => {
  test.each(hostile)('the name %j is read back from every URL that holds it', (name) => {
    const routes: Route[] = [
      { view: 'zones', from: name, to: 'b', matrix },
      { view: 'zones', from: 'a', to: name, matrix },
      { view: 'node', name: `c/${name}` },
      { view: 'finding', id: `kind:${name}` },
      { view: 'target', name, sort: name },
      { view: 'targets', sort: name },
      { view: 'events', type: name, node: `c/${name}` },
      { view: 'overview', matrix: { plane: 'host', protocol: 'icmp' } },
      { view: 'overview', matrix: firstMatrix },
      { view: 'overview', matrix: { plane: 'worst', protocol: 'http' } },
      ...(name === '' ? [] : [{ view: 'overview', matrix: { ...firstMatrix, by: name } } as const]),
      { view: 'nodes', name, zone: name, state: 'ok', sort: `-${name}` },
    ];
    for (const route of routes) expect(throughUrl(route)).toEqual(route);
  });

  test('a node may be named with the slash of its cluster', () => {
    const read = (path: string) => parseRoute(new URL(path, 'http://127.0.0.1:4242'));
    expect(read('/nodes/default/node1')).toEqual({ view: 'node', name: 'default/node1' });
    expect(read('/nodes/default/')).toEqual({ view: 'node', name: 'default' });
    expect(read('/nodes//node1')).toMatchObject({ view: 'none' });
    expect(read('/nodes/a/b/c')).toMatchObject({ view: 'none' });
  });

  test('views without names have short URLs', () => {
    const host = { plane: 'host', protocol: 'icmp' } as const;
    expect(urlOf({ view: 'overview', matrix: firstMatrix })).toBe('/');
    expect(urlOf({ view: 'overview', matrix: host })).toBe('/?plane=host&protocol=icmp');
    expect(urlOf({ view: 'overview', matrix })).toBe('/?plane=endpoint&protocol=http');
    expect(urlOf({ view: 'matrix', matrix: firstMatrix })).toBe('/matrix');
    expect(urlOf(allNodes)).toBe('/nodes');
    expect(urlOf({ ...allNodes, sort: '-zone' })).toBe('/nodes?sort=-zone');
    expect(urlOf({ view: 'targets', sort: '' })).toBe('/targets');
    expect(urlOf(allEvents)).toBe('/events');
    expect(urlOf({ ...allEvents, type: 'target' })).toBe('/events?type=target');
  });

  test('any text after the slash is a route or no route, and never an error', () => {
    const random = new Random(7);
    const letters = '/~.%2Fnodeszonesfindings?&=#'.split('');
    for (let round = 0; round < 2000; round++) {
      const text = Array.from({ length: random.below(20) }, () => random.pick(letters)).join('');
      const route = parseRoute({ pathname: `/${text}`, search: `?${text}` });
      expect(typeof route.view).toBe('string');
    }
  });
});
