import { describe, expect, test } from 'vitest';
import { found, n } from '../cluster.js';

describe('the observers that trace a path of a finding', () => {
  const tracers = (localName: string, trouble: 'unreachable' | 'slow' = 'unreachable') => {
    const { findings } = found(40, {
      says: ({ to }) => (to === n(7) ? trouble : undefined),
      input: { localName },
    });
    expect(findings).toHaveLength(1);
    return findings[0]?.tracedBy;
  };

  test('are three of those that see it, the same on every agent', () => {
    const first = tracers(n(1));
    expect(new Set(first).size).toBe(3);
    expect(first).not.toContain(n(7));
    expect(tracers(n(20))).toEqual(first);
    expect(tracers(n(33))).toEqual(first);
  });

  test('are none where paths are slow: a trace tells nothing of it', () => {
    expect(tracers(n(1), 'slow')).toBeUndefined();
  });

  test('are others for another finding', () => {
    const of = (node: string) =>
      found(40, { says: ({ to }) => (to === node ? 'unreachable' : undefined) }).findings[0]
        ?.tracedBy;
    expect(new Set([n(7), n(8), n(9), n(10)].map((node) => of(node)?.join())).size).toBeGreaterThan(
      1,
    );
  });
});
