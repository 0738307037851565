import { expect, test } from 'vitest';
import { primaryPathsToOthers } from '../../../../agent/model/path.js';

test('the primary paths to others leave out this node, and who is not expected to answer', () => {
  const addresses = { host: ['192.0.2.1', '192.0.2.2'], endpoint: ['198.51.100.1'] };
  const nodes = [
    { name: 'c/me', ...addresses },
    { name: 'c/a', ...addresses },
    { name: 'c/b', host: [], endpoint: ['198.51.100.2'] },
    { name: 'c/gone', ...addresses, lifecycle: { phase: 'excluded', reason: 'cordoned' } },
    { name: 'c/new', host: ['192.0.2.3'], endpoint: [], lifecycle: { phase: 'active' } },
  ] as const;
  expect(primaryPathsToOthers(nodes, 'c/me')).toEqual([
    { node: 'c/a', plane: 'host', ip: '192.0.2.1' },
    { node: 'c/a', plane: 'endpoint', ip: '198.51.100.1' },
    { node: 'c/b', plane: 'endpoint', ip: '198.51.100.2' },
    { node: 'c/new', plane: 'host', ip: '192.0.2.3' },
  ]);
});
