import { expect, test } from 'vitest';
import { idsOf, n, watching, type LookOf } from '../cluster.js';

const [nodes, targets] = [12, ['web']];

/** What is told of a target that nobody reaches from 1 s on, and that some reach again at 21 s. The others have not looked since 20 s. */
function toldAt(seconds: number, again: readonly string[]): readonly string[] {
  const look = watching(nodes);
  const at = (now: number) => {
    const saysOf = ({ from }: LookOf) => {
      if (now <= 20) return { ageSeconds: now - 1, probedSeconds: 0 };
      if (!again.includes(from)) return { ageSeconds: now - 1, probedSeconds: now - 20 };
      return { state: 'reachable' as const, ageSeconds: now - 21, probedSeconds: 0 };
    };
    return idsOf(look(now, { targets, ...(now > 0 && { saysOf }) }));
  };
  for (let now = 0; now < seconds; now++) at(now);
  return at(seconds);
}

test('looks from before a target was reached again say nothing any more', () => {
  expect(toldAt(20, [])).toEqual(['target-down:web']);
  for (const seconds of [21, 30, 45]) expect(toldAt(seconds, [n(3), n(8)])).toEqual([]);
});

test('one node that reaches it again is no recovery of it', () => {
  expect(toldAt(30, [n(3)])).toEqual(['target-down:web']);
});
