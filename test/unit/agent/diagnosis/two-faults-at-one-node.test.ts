import { describe, expect, test } from 'vitest';
import { found, idsOf, n, watching, type PathOf } from './cluster.js';
import { failing, isAt, isOn, isTo } from './paths.js';

describe('two faults of one node', () => {
  test.each([
    [4, 20, 200],
    [5, 20, 200],
    [5, 200, 20],
    [12, 20, 200],
    [12, 200, 20],
    [12, 200, 200],
  ])('each is told, and none of what the other one explains: %i nodes', (count, cutS, goneS) => {
    const cut = failing(isAt(n(3), 'endpoint'), { ageSeconds: cutS });
    const gone = failing(isTo(n(3), 'http'), { ageSeconds: goneS, failure: 'refused' });
    const says = (path: PathOf) => cut(path) ?? gone(path);
    const told = idsOf(found(count, { without: [n(3)], says }));
    expect(told.sort()).toEqual(['agent:c/n3', 'endpoint-plane:c/n3']);
  });

  test.each([
    [
      'an agent that is gone and filtered echoes',
      'host',
      'icmp',
      ['agent:', 'icmp-filtered:host:'],
    ],
    ['two servers that hang', 'endpoint', 'http', ['agent:', 'endpoint:']],
  ] as const)('are not one that began twice: %s', (_, plane, protocol, ids) => {
    const gone = failing(isTo(n(3), 'host', 'http'), { ageSeconds: 300 });
    const other = failing(isTo(n(3), plane, protocol), { ageSeconds: 60 });
    const told = idsOf(found(12, { without: [n(3)], says: (path) => gone(path) ?? other(path) }));
    expect(told.sort()).toEqual(ids.map((id) => `${id}c/n3`));
  });

  test('are one where a node dies in steps', () => {
    const gone = failing(isAt(n(3), 'host', 'http'), { ageSeconds: 300 });
    const says = (path: PathOf) => gone(path) ?? failing(isAt(n(3)))(path);
    expect(idsOf(found(12, { without: [n(3)], says }))).toEqual(['node:c/n3']);
  });
});

describe('an agent that is gone while the overlay breaks', () => {
  test('is not told as filtered HTTP, though its endpoint failed for the nodes that looked first', () => {
    const look = watching(12);
    const at = (atS: number) => {
      const gone = failing(isTo(n(10), 'host', 'http'), {
        ageSeconds: atS + 3,
        failure: 'refused',
      });
      const isSeen = atS > 2 ? isOn('endpoint') : isTo(n(10), 'endpoint', 'http');
      const overlay = failing(isSeen, { ageSeconds: atS });
      return look(atS, { says: (path) => gone(path) ?? overlay(path), without: [n(10)] });
    };
    for (let atS = 0; atS < 12; atS += 1) at(atS);
    expect(idsOf(at(12))).toEqual(['endpoint-plane:all', 'agent:c/n10']);
  });
});
