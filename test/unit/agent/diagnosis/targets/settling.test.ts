import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../../agent/diagnosis/diagnose.js';
import { clusterOf, n, start, type LookOf } from '../cluster.js';

const nodes = 8;
const zones = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c'];
const targets = ['registry'];
const rows = Object.fromEntries(
  Array.from({ length: nodes }, (_, at) => [n(at + 1), { ageMs: 0, bodyAgeMs: 0 }]),
);

/** The ids of the findings so many seconds after c/n4 found that it does not reach the target. */
function idsAfter(untilS: number, hasLooked: (look: LookOf) => boolean): readonly string[] {
  let previous = diagnose(clusterOf(nodes, { zones, targets, rows, input: { now: start } }));
  for (let seconds = 0.5; seconds <= untilS; seconds += 0.5) {
    const saysOf = (look: LookOf) =>
      look.from === n(4)
        ? { ageSeconds: seconds, probedSeconds: seconds }
        : {
            state: 'reachable' as const,
            ageSeconds: 3600,
            probedSeconds: hasLooked(look) ? 0 : seconds + 3,
          };
    const input = { now: start + 1000 * seconds, previous };
    previous = diagnose(clusterOf(nodes, { zones, targets, rows, saysOf, input }));
  }
  return previous.findings.map(({ id }) => id);
}

describe('a node that alone does not reach a target', () => {
  const id = 'target-unreachable:registry:c/n4';
  const isInZone = ({ from }: LookOf) => [n(5), n(6)].includes(from);

  it('is named after two seconds where the others have looked since', () => {
    expect(idsAfter(1.5, () => true)).toEqual([]);
    expect(idsAfter(3, () => true)).toEqual([id]);
  });

  it('is named later while others of its zone may fail with it', () => {
    const others = (look: LookOf) => !isInZone(look);
    expect(idsAfter(3, others)).toEqual([]);
    expect(idsAfter(4, others)).toEqual([id]);
  });

  it('is named much later where fewer than half have looked since', () => {
    expect(idsAfter(9, isInZone)).toEqual([]);
    expect(idsAfter(11, isInZone)).toEqual([id]);
  });
});
