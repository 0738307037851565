import { describe, expect, it } from 'vitest';
import {
  continues,
  isOfBefore,
  recoveringCauses,
} from '../../../../../agent/diagnosis/life/recovering.js';
import { indexCluster } from '../../../../../agent/diagnosis/nouns/cluster-index.js';
import type { PastCause } from '../../../../../agent/diagnosis/nouns/memory.js';
import type { NamedCause } from '../../../../../agent/diagnosis/nouns/named-cause.js';
import { makeFinding } from '../../../../rows/make-finding.js';
import { makeNodes, n } from '../cluster.js';

const index = indexCluster(makeNodes(4));
const endpoint = 0b1100;
const endedMs = 60_000;

const causeAt = (node: string, channels = endpoint): NamedCause => ({
  trouble: 'broken',
  channels,
  type: 'node',
  names: [node],
});

function past(more: Partial<PastCause> = {}): PastCause {
  return {
    ...causeAt(n(2)),
    ways: 'in',
    isSilent: false,
    isUnanswered: false,
    isAnswered: false,
    working: { share: 0, sinceMs: 0 },
    beganMs: 1000,
    shownMs: 61_000,
    endedMs,
    overMs: 62_000,
    ...more,
  };
}

describe('what is left of a cause that has ended', () => {
  const isLeft = (cause: NamedCause, sinceMs: number, ...known: PastCause[]) =>
    isOfBefore({ causes: [cause], sinceMs }, known, index);

  it('began to fail before its end', () => {
    expect(isLeft(causeAt(n(2)), 59_000, past())).toBe(true);
    expect(isLeft(causeAt(n(2)), 61_000, past())).toBe(false);
  });

  it('is on its channels and at its node', () => {
    expect(isLeft(causeAt(n(2), 0b1000), 2000, past())).toBe(true);
    expect(isLeft(causeAt(n(2), 0b0011), 2000, past())).toBe(false);
    expect(isLeft(causeAt(n(3)), 2000, past())).toBe(false);
  });

  it('is of zones that may be a part of one that is cut off, where another one was', () => {
    const zoned = indexCluster(makeNodes(6, ['a', 'a', 'b', 'b', 'c', 'c']));
    const zones = (...names: string[]): NamedCause => ({ ...causeAt(n(1)), type: 'zones', names });
    const isLeftOf = (former: NamedCause) =>
      isOfBefore({ causes: [zones('b', 'c')], sinceMs: 2000 }, [past({ ...former })], zoned);
    expect(isLeftOf(zones('a'))).toBe(true);
    expect(isLeftOf(causeAt(n(1)))).toBe(false);
  });

  it('is not of a cause that goes on, nor of losses', () => {
    expect(isLeft(causeAt(n(2)), 2000, past({ endedMs: undefined }))).toBe(false);
    expect(isLeft({ ...causeAt(n(2)), trouble: 'lossy' }, 2000, past())).toBe(false);
  });
});

describe('a cause that has a finding as a part of it that closed just now', () => {
  const zoned = indexCluster(makeNodes(6, ['a', 'a', 'b', 'b', 'c', 'c']));
  const cut = (...names: string[]): NamedCause => ({ ...causeAt(n(1)), type: 'zones', names });
  const closed = { finding: undefined, closedMs: endedMs - 100, causes: [cut('a', 'b')], paths: 8 };
  const recovering = recoveringCauses(new Map([['a,b', closed]]), [], {
    now: endedMs,
    index: zoned,
  });
  const goesOn = (cause: NamedCause, explains: number) => {
    const finding = makeFinding({ id: 'b', kind: 'zones', protocols: [], explains });
    return continues({ causes: [cause], finding }, recovering, zoned);
  };

  it('is not left of it if it explains more', () => {
    expect(goesOn(cut('b'), 16)).toBe(undefined);
    expect(goesOn(cut('b'), 8)).toBe('leftover');
    expect(goesOn(cut('b', 'c'), 16)).toBe('leftover');
  });
});

describe('what fails beside thousands of open findings', () => {
  const count = 2000;
  const all = indexCluster(makeNodes(count));
  const numbers = [...Array(count).keys()].map((at) => at + 1);
  const findingAt = (number: number) =>
    makeFinding({ id: n(number), kind: 'node-down', node: n(number), protocols: [], explains: 4 });

  it('is held against those at its own node alone', () => {
    let reads = 0;
    const counted = (cause: NamedCause): NamedCause => ({
      ...cause,
      get trouble() {
        reads++;
        return cause.trouble;
      },
    });
    const before = new Map(
      numbers.map((number) => {
        const causes = [counted(causeAt(n(number), 0b1111))];
        const closedMs = undefined;
        return [n(number), { finding: findingAt(number), causes, paths: 4, closedMs }] as const;
      }),
    );
    const opened = numbers.map((number) => ({
      finding: findingAt(number),
      sinceMs: 0,
      settleMs: 0,
      causes: [causeAt(n(number))],
      explained: [],
    }));
    const recovering = recoveringCauses(before, opened, { now: endedMs, index: all });
    for (const candidate of opened) expect(continues(candidate, recovering, all)).toBe('leftover');
    expect(reads).toBeLessThan(10 * count);
  });
});
