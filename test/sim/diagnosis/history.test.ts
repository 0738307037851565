import { describe, expect, it } from 'vitest';
import type { Subject } from '../../faults/fault.js';
import { nodeKinds } from '../../faults/node-kinds.js';
import { History } from './history.js';
import { layoutOf } from './scenarios/random-layout.js';

const layout = layoutOf(4, 1, () => 0);
const node: Subject = { type: 'node', node: 2 };

describe('the age of a failing path', () => {
  const tunnel = nodeKinds.tunnel.make(layout, node, 0).trouble;
  const off = nodeKinds.off.make(layout, node, 0).trouble;
  const history = new History([
    { trouble: off, ageS: 30 },
    { trouble: tunnel, ageS: 500 },
  ]);
  const path = { from: 0, to: 2, protocol: 'icmp' } as const;

  it('is that of the oldest fault that makes it fail', () => {
    expect(history.failure({ ...path, plane: 'endpoint' })).toEqual({
      kind: 'timeout',
      sinceS: 500,
    });
  });

  it('is that of a younger fault where the older one leaves the path alone', () => {
    expect(history.failure({ ...path, plane: 'host' })).toEqual({ kind: 'timeout', sinceS: 30 });
  });

  it('knows nothing of a fault that began later', () => {
    expect(history.before(60).failure({ ...path, plane: 'host' })).toBeUndefined();
  });
});
