import { describe, expect, test } from 'vitest';
import { lifecycleOf } from '../../../../../agent/discovery/kubernetes/lifecycle.js';
import { createNodeProjection } from '../../../../../agent/discovery/kubernetes/node-projection.js';
import { nodeObject, type NodeOptions } from '../../../../doubles/api-server/objects.js';

const gracePeriods = { joinMs: 120_000, leaveMs: 60_000 };
const createdAt = new Date('2026-05-01T12:00:00Z');
const after = (seconds: number) => new Date(createdAt.getTime() + seconds * 1000);

/** The life of a node some seconds after it was created. */
function lifeAfter(seconds: number, options: NodeOptions) {
  const object = nodeObject('n', { internal: ['198.51.100.1'], createdAt, ...options });
  const node = createNodeProjection()(object);
  if (!node) throw new Error('expected a node');
  return lifecycleOf(node, gracePeriods, after(seconds).getTime());
}

describe('a node that is not ready', () => {
  test('joins in its first minutes, and is expected after them', () => {
    const never = { isReady: false, readyChangedAt: after(1) };
    expect(lifeAfter(119, never)).toEqual({
      lifecycle: { phase: 'joining', reason: 'NotReady (KubeletNotReady)' },
      until: after(120).getTime(),
    });
    expect(lifeAfter(121, never).lifecycle).toEqual({ phase: 'active' });
  });

  test('is expected in its first minutes too if it was ready before', () => {
    const lost = { isReady: 'unknown', readyChangedAt: after(70) } as const;
    expect(lifeAfter(80, lost).lifecycle).toEqual({ phase: 'active' });
  });

  test('is expected, however long ago that was', () => {
    const lost = { isReady: 'unknown', readyChangedAt: after(70) } as const;
    expect(lifeAfter(7 * 86_400, lost).lifecycle).toEqual({ phase: 'active' });
  });

  test('joins where Kubernetes does not say since when it is so', () => {
    const object = nodeObject('n', { internal: ['198.51.100.1'], createdAt });
    const node = createNodeProjection()({ ...object, status: { addresses: [] } });
    expect(node?.notReady).toEqual({ text: 'NotReady', sinceAt: undefined });
    expect(lifeAfter(60, { isReady: false, readyChangedAt: new Date(0) }).lifecycle.phase).toBe(
      'joining',
    );
  });

  test('is excluded where someone means it to be away', () => {
    const lost = { isReady: 'unknown', readyChangedAt: after(70) } as const;
    const reasonOf = (more: NodeOptions) => lifeAfter(600, { ...lost, ...more }).lifecycle;
    expect(reasonOf({ isCordoned: true })).toEqual({ phase: 'excluded', reason: 'cordoned' });
    expect(reasonOf({ deletedAt: after(10) }).phase).toBe('excluded');
    expect(reasonOf({ internal: [] })).toEqual({ phase: 'excluded', reason: 'no address' });
  });
});

test.each([
  ['windows', 'excluded'],
  ['linux', 'active'],
  [undefined, 'active'],
])('a node whose label of its system is %s is %s', (os, phase) => {
  const labels = os === undefined ? {} : { 'kubernetes.io/os': os };
  expect(lifeAfter(600, { labels }).lifecycle.phase).toBe(phase);
});
