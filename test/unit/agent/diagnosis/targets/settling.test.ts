import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../../agent/diagnosis/diagnose.js';
import type { RowTarget } from '../../../../../agent/model/target.js';
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

describe('a target that all nodes of one of two zones do not reach', () => {
  const twoZones = ['a', 'a', 'a', 'b', 'b', 'b', 'b', 'b'];
  /** The ids of the findings so many seconds after the failure; the other zone may have looked since. */
  function idsWhere(hasLooked: boolean, isHeard = true): readonly string[] {
    const silent = isHeard ? [] : [1, 2, 3].map((at) => [n(at), { ageMs: 8000, bodyAgeMs: 0 }]);
    const heard = { ...rows, ...(Object.fromEntries(silent) as typeof rows) };
    const known = { zones: twoZones, targets, rows: heard };
    let previous = diagnose(clusterOf(nodes, { ...known, input: { now: start } }));
    for (let seconds = 0.5; seconds <= 4; seconds += 0.5) {
      const saysOf = ({ from }: LookOf) => {
        const isFailing = Number(from.slice('c/n'.length)) > 3;
        if (isFailing) return { ageSeconds: seconds, probedSeconds: 0 };
        const probedSeconds = hasLooked && from === n(1) ? 0 : seconds + 3;
        return { state: 'reachable' as const, ageSeconds: 3600, probedSeconds };
      };
      const input = { now: start + 1000 * seconds, previous };
      previous = diagnose(clusterOf(nodes, { ...known, saysOf, input }));
    }
    return previous.findings.map(({ id }) => id);
  }

  it('is not called down before the other zone has looked', () => {
    expect(idsWhere(false)).toEqual([]);
    expect(idsWhere(true)).toEqual(['target-unreachable:registry:zone=b']);
  });

  it('is called down where the rows of the other zone do not come any more', () => {
    expect(idsWhere(false, false)).toEqual(['target-down:registry']);
  });
});

describe('a node that looks first after a time in which no rows came', () => {
  it('is not named alone while the others have still to look again', () => {
    const silent = Object.fromEntries(
      Array.from({ length: nodes - 1 }, (_, at) => [
        n(at + 2),
        { ageMs: 40_000, freshness: 'stale' as const },
      ]),
    );
    const own = { targets: [{ name: 'registry', digest: 1, kind: 'tcp' as const, servers: [] }] };
    let previous = diagnose(
      clusterOf(nodes, { targets, rows: silent, input: { ...own, now: start } }),
    );
    for (let seconds = 0.5; seconds <= 4; seconds += 0.5) {
      const saysOf = ({ from }: LookOf) => ({
        ageSeconds: seconds + 20,
        probedSeconds: from === n(4) ? 0 : seconds + 5,
      });
      const input = { ...own, now: start + 1000 * seconds, previous };
      const without = [n(1)];
      previous = diagnose(clusterOf(nodes, { targets, rows, saysOf, without, input }));
    }
    expect(previous.findings.filter(({ target }) => target)).toEqual([]);
  });
});

describe('where so many look that each looks rarely', () => {
  const many = 40;
  const fresh = Object.fromEntries(
    Array.from({ length: many }, (_, at) => [n(at + 1), { ageMs: 0, bodyAgeMs: 0 }]),
  );
  type Says = (look: LookOf) => Partial<RowTarget>;

  /** The ids of the findings so many seconds after the first look, run after run. */
  function ran(untilS: number, saysAt: (seconds: number) => Says): readonly string[] {
    let previous = diagnose(clusterOf(many, { targets, rows: fresh, input: { now: start } }));
    for (let seconds = 0.5; seconds <= untilS; seconds += 0.5) {
      const input = { now: start + 1000 * seconds, previous };
      previous = diagnose(
        clusterOf(many, { targets, rows: fresh, saysOf: saysAt(seconds), input }),
      );
    }
    return previous.findings.map(({ id }) => id);
  }
  const number = ({ from }: LookOf) => Number(from.slice('c/n'.length));

  it('ten that looked since are enough to name what is down', () => {
    const lookedBy = (count: number) => (seconds: number) => (look: LookOf) =>
      number(look) <= count
        ? { ageSeconds: seconds, probedSeconds: seconds }
        : { state: 'reachable' as const, ageSeconds: 3600, probedSeconds: seconds + 3 };
    expect(ran(3, lookedBy(9))).toEqual([]);
    expect(ran(3, lookedBy(10))).toEqual(['target-down:registry']);
  });

  it('what begins to lose probes is not taken for what is reached again', () => {
    const says = (seconds: number) => (look: LookOf) => {
      const isFailing = number(look) <= 20;
      if (isFailing) return { ageSeconds: seconds, probedSeconds: seconds };
      return { state: 'lossy' as const, ageSeconds: 1, probedSeconds: seconds + 3 };
    };
    expect(ran(15, says)).toEqual(['target-down:registry']);
  });

  it('what answers from the other plane for the first time is not taken for what is reached again', () => {
    const says = (seconds: number) => (look: LookOf) =>
      look.plane === 'host'
        ? { ageSeconds: seconds, probedSeconds: seconds }
        : { state: 'reachable' as const, ageSeconds: 1, probedSeconds: 0 };
    expect(ran(15, says)).toEqual(['target-down:registry:host']);
  });

  it('a node that has not looked since all could again is not named until it does', () => {
    const mendedS = 20;
    const says = (lookedAgain: boolean) => (seconds: number) => (look: LookOf) => {
      const isLate = number(look) === 4;
      if (seconds < mendedS || (isLate && !lookedAgain))
        return { ageSeconds: seconds, probedSeconds: isLate ? Math.max(seconds - 15, 0) : 0 };
      if (isLate) return { ageSeconds: seconds, probedSeconds: 0 };
      const sinceS = seconds - mendedS;
      return { state: 'reachable' as const, ageSeconds: sinceS, probedSeconds: 0 };
    };
    expect(ran(15, says(false))).toEqual(['target-down:registry']);
    expect(ran(60, says(false))).toEqual([]);
    expect(ran(60, says(true))).toEqual(['target-unreachable:registry:c/n4']);
  });
});
