import { describe, expect, test } from 'vitest';
import { found, n, type PathOf, type Saying } from '../cluster.js';

const notKnown = (says: (path: PathOf) => Saying, more: Parameters<typeof found>[1] = {}) =>
  found(6, { says, ...more }).notKnown;

describe('an active node of which nobody knows whether it works', () => {
  test('is named with its planes, though nothing fails', () => {
    const toNode4 = ({ to }: PathOf): Saying => (to === n(4) ? 'unknown' : undefined);
    expect(notKnown(toNode4)).toEqual([
      { node: n(4), plane: 'host' },
      { node: n(4), plane: 'endpoint' },
    ]);
    const host = ({ to, plane }: PathOf): Saying =>
      to === n(4) && plane === 'host' ? 'unknown' : undefined;
    expect(notKnown(host)).toEqual([{ node: n(4), plane: 'host' }]);
  });

  test('is none that another agent knows, by one protocol at least', () => {
    for (const protocol of ['icmp', 'http']) {
      const says = ({ from, to, protocol: by }: PathOf): Saying =>
        to === n(4) && (from !== n(5) || by !== protocol) ? 'unknown' : undefined;
      expect(notKnown(says)).toEqual([]);
    }
  });

  test('is none that fails for somebody', () => {
    const says = ({ from, to }: PathOf): Saying =>
      to === n(4) ? (from === n(5) ? 'unreachable' : 'unknown') : undefined;
    expect(notKnown(says)).toEqual([]);
  });

  test('is none that has just come', () => {
    const says = ({ to }: PathOf): Saying =>
      to === n(4) ? { state: 'unknown', ageSeconds: 3 } : undefined;
    expect(notKnown(says)).toEqual([]);
  });
});
