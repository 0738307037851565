import { describe, expect, test } from 'vitest';
import { found, n, type PathOf } from './cluster.js';

const at = ({ from, to }: PathOf) => from === n(3) || to === n(3);

describe('two faults of one node', () => {
  test.each([
    [4, 20, 200],
    [5, 20, 200],
    [5, 200, 20],
    [12, 20, 200],
    [12, 200, 20],
    [12, 200, 200],
  ])('each is told, and none of what the other one explains: %i nodes', (count, cutS, goneS) => {
    const { findings } = found(count, {
      without: [n(3)],
      says: (path) => {
        if (at(path) && path.plane === 'endpoint')
          return { state: 'unreachable', ageSeconds: cutS };
        const isAgent = path.to === n(3) && path.protocol === 'http';
        return isAgent
          ? { state: 'unreachable', ageSeconds: goneS, failure: 'refused' }
          : undefined;
      },
    });
    expect(findings.map(({ id }) => id).sort()).toEqual(['agent:c/n3', 'endpoint-plane:c/n3']);
  });
});
