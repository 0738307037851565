import { expect, test } from 'vitest';
import { found, n, type ClusterOptions, type PathOf } from './cluster.js';

const size = 40;
const node = n(17);

/** The server at the endpoint of a node hung first, and then everything failed that is sent to it. */
const [hungS, failsS] = [40, 9];
const says = ({ to, plane, protocol }: PathOf) => {
  if (to !== node) return undefined;
  const isFirst = plane === 'endpoint' && protocol === 'http';
  const isOfGets = plane === 'host' && protocol === 'http';
  const ageSeconds = isFirst ? hungS : failsS;
  // What was heard last was heard before all failed.
  return {
    state: 'unreachable' as const,
    ageSeconds,
    ...(isOfGets && { unheardSeconds: failsS + 4 }),
  };
};
const told = (options: ClusterOptions) =>
  found(size, { says, ...options }).findings.map(({ kind, direction }) => [kind, direction]);

test('a node that died after a server of it hung is down: it was heard before it died', () => {
  const heardMsAgo = new Map([[node, 1000 * (failsS + 4)]]);
  expect(told({ without: [node], input: { heardMsAgo } })).toEqual([['node-down', undefined]]);
});

test('a node to which requests are filtered after a server of it hung has one trouble', () => {
  const heardMsAgo = new Map([[node, 1000]]);
  expect(told({ input: { heardMsAgo } })).toEqual([['node-isolated', 'inbound']]);
});
