import { expect, test } from 'vitest';
import { diagnose } from '../../../../../agent/diagnosis/diagnose.js';
import { clusterOf, n, start, type LookOf } from '../cluster.js';

const [nodes, targets] = [12, ['web']];

/** What is told of a target that nobody reaches from 1 s on, and that some reach again at 21 s. The others have not looked since 20 s. */
function toldAt(seconds: number, again: readonly string[]): readonly string[] {
  let previous = diagnose(clusterOf(nodes, { targets, input: { now: start } }));
  for (let now = 1; now <= seconds; now++) {
    const saysOf = ({ from }: LookOf) => {
      if (now <= 20) return { ageSeconds: now - 1, probedSeconds: 0 };
      if (!again.includes(from)) return { ageSeconds: now - 1, probedSeconds: now - 20 };
      return { state: 'reachable' as const, ageSeconds: now - 21, probedSeconds: 0 };
    };
    const input = { now: start + 1000 * now, previous };
    previous = diagnose(clusterOf(nodes, { targets, saysOf, input }));
  }
  return previous.findings.map(({ id }) => id);
}

test('looks from before a target was reached again say nothing any more', () => {
  expect(toldAt(20, [])).toEqual(['target-down:web']);
  for (const seconds of [21, 30, 45]) expect(toldAt(seconds, [n(3), n(8)])).toEqual([]);
});

test('one node that reaches it again is no recovery of it', () => {
  expect(toldAt(30, [n(3)])).toEqual(['target-down:web']);
});
