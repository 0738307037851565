import { describe, expect, it } from 'vitest';
import type { RowTarget } from '../../../../../agent/model/target.js';
import {
  idsOf,
  n,
  namesOf,
  numberOf,
  rowsOf,
  watching,
  type ClusterOptions,
  type LookOf,
} from '../cluster.js';

const nodes = 8;
const zones = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c'];
const targets = ['registry'];
const rows = rowsOf(namesOf(40), { ageMs: 0, bodyAgeMs: 0 });
type Looks = (look: LookOf) => Partial<RowTarget>;

/** The ids of the findings so many seconds after all was well, run after run. */
function ran(
  count: number,
  untilS: number,
  saysAt: (seconds: number) => Looks,
  options: ClusterOptions = {},
): readonly string[] {
  const look = watching(count);
  let last = look(0, { targets, rows, ...options });
  for (let seconds = 0.5; seconds <= untilS; seconds += 0.5)
    last = look(seconds, { targets, rows, saysOf: saysAt(seconds), ...options });
  return idsOf(last);
}

describe('a node that alone does not reach a target', () => {
  /** The ids of the findings so many seconds after c/n4 found that it does not reach the target. */
  const idsAfter = (untilS: number, hasProbed: (look: LookOf) => boolean) =>
    ran(
      nodes,
      untilS,
      (seconds) => (look) =>
        look.from === n(4)
          ? { ageSeconds: seconds, probedSeconds: seconds }
          : {
              state: 'reachable',
              ageSeconds: 3600,
              probedSeconds: hasProbed(look) ? 0 : seconds + 3,
            },
      { zones },
    );
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

describe('a node that does not reach a target from one plane', () => {
  it('is named no later where it learns after a while that it does from the other one', () => {
    const saysAt =
      (seconds: number): Looks =>
      ({ from, plane }) => {
        if (from === n(4) && plane === 'host')
          return { ageSeconds: seconds, probedSeconds: seconds };
        const isLate = from === n(4) && seconds < 2;
        return { state: 'reachable', ageSeconds: 3600, probedSeconds: isLate ? seconds + 3 : 0 };
      };
    expect(ran(nodes, 3, saysAt, { zones })).toEqual(['target-unreachable:registry:c/n4:host']);
  });
});

describe('a target that all nodes of one of two zones do not reach', () => {
  const twoZones = ['a', 'a', 'a', 'b', 'b', 'b', 'b', 'b'];
  /** The ids of the findings so many seconds after the failure; the other zone may have looked since. */
  function idsWhere(hasProbed: boolean, isHeard = true): readonly string[] {
    const silent = isHeard ? {} : rowsOf(namesOf(3), { ageMs: 8000, bodyAgeMs: 0 });
    const saysAt =
      (seconds: number): Looks =>
      ({ from }) => {
        if (numberOf(from) > 3) return { ageSeconds: seconds, probedSeconds: 0 };
        const probedSeconds = hasProbed && from === n(1) ? 0 : seconds + 3;
        return { state: 'reachable', ageSeconds: 3600, probedSeconds };
      };
    return ran(nodes, 4, saysAt, { zones: twoZones, rows: { ...rows, ...silent } });
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
    const silent = rowsOf(namesOf(nodes).slice(1), { ageMs: 40_000, freshness: 'stale' });
    const own = { targets: [{ name: 'registry', digest: 1, kind: 'tcp' as const, servers: [] }] };
    const look = watching(nodes);
    let last = look(0, { targets, rows: silent, input: own });
    for (let seconds = 0.5; seconds <= 4; seconds += 0.5) {
      const saysOf = ({ from }: LookOf) => ({
        ageSeconds: seconds + 20,
        probedSeconds: from === n(4) ? 0 : seconds + 5,
      });
      last = look(seconds, { targets, rows, saysOf, without: [n(1)], input: own });
    }
    expect(last.findings.filter(({ target }) => target)).toEqual([]);
  });
});

describe('where so many look that each looks rarely', () => {
  const many = 40;
  it('ten that looked since are enough to name what is down', () => {
    const lookedBy = (count: number) => (seconds: number) => (look: LookOf) =>
      numberOf(look.from) <= count
        ? { ageSeconds: seconds, probedSeconds: seconds }
        : { state: 'reachable' as const, ageSeconds: 3600, probedSeconds: seconds + 3 };
    expect(ran(many, 3, lookedBy(9))).toEqual([]);
    expect(ran(many, 3, lookedBy(10))).toEqual(['target-down:registry']);
  });

  it('what begins to lose probes is not taken for what is reached again', () => {
    const says = (seconds: number) => (look: LookOf) => {
      const isFailing = numberOf(look.from) <= 20;
      if (isFailing) return { ageSeconds: seconds, probedSeconds: seconds };
      return { state: 'lossy' as const, ageSeconds: 1, probedSeconds: seconds + 3 };
    };
    expect(ran(many, 15, says)).toEqual(['target-down:registry']);
  });

  it('what answers from the other plane for the first time is not taken for what is reached again', () => {
    const says = (seconds: number) => (look: LookOf) =>
      look.plane === 'host'
        ? { ageSeconds: seconds, probedSeconds: seconds }
        : { state: 'reachable' as const, ageSeconds: 1, probedSeconds: 0 };
    expect(ran(many, 15, says)).toEqual(['target-down:registry:host']);
  });

  it('a node that has not looked since all could again is not named until it does', () => {
    const mendedS = 20;
    const says = (lookedAgain: boolean) => (seconds: number) => (look: LookOf) => {
      const isLate = numberOf(look.from) === 4;
      if (seconds < mendedS || (isLate && !lookedAgain))
        return { ageSeconds: seconds, probedSeconds: isLate ? Math.max(seconds - 15, 0) : 0 };
      if (isLate) return { ageSeconds: seconds, probedSeconds: 0 };
      const sinceS = seconds - mendedS;
      return { state: 'reachable' as const, ageSeconds: sinceS, probedSeconds: 0 };
    };
    expect(ran(many, 15, says(false))).toEqual(['target-down:registry']);
    expect(ran(many, 60, says(false))).toEqual([]);
    expect(ran(many, 60, says(true))).toEqual(['target-unreachable:registry:c/n4']);
  });
});
