import { describe, expect, it } from 'vitest';
import {
  continues,
  isOfBefore,
  recoveringCauses,
} from '../../../../../agent/diagnosis/life/recovering.js';
import { indexCluster } from '../../../../../agent/diagnosis/nouns/cluster-index.js';
import type { FindingMemory, PastCause } from '../../../../../agent/diagnosis/nouns/memory.js';
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
    failing: { share: 0, sinceMs: 0, lastMs: 0 },
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

describe('a cause at the node of an earlier one', () => {
  const finding = (explains: number) =>
    makeFinding({ id: 'a', kind: 'endpoint-plane', protocols: [], explains });
  const open = { finding: finding(8), closedMs: undefined, paths: 8 };
  const closed = { ...open, finding: undefined, closedMs: endedMs - 100 };
  const [echoes, both] = [0b0100, endpoint];

  /** @param now what is seen now: how many paths the cause explains, and how many the earlier one still does */
  function goesOn(
    former: Pick<FindingMemory, 'finding' | 'closedMs' | 'paths'>,
    cause: NamedCause,
    now: { readonly paths: number; readonly of: NamedCause; readonly explains?: number },
  ) {
    const { explains = 0, of, paths } = now;
    const before = new Map([['a', { ...former, causes: [of] }]]);
    const told = { finding: finding(explains), sinceMs: 0, settleMs: 0, causes: [], explained: [] };
    const recovering = recoveringCauses(before, [told], { now: endedMs, index });
    return continues({ causes: [cause], finding: finding(paths) }, recovering, index);
  }

  it('is grown from it if more fails of its channels and others, while its finding is open', () => {
    const part = { of: causeAt(n(2), echoes), paths: 16 };
    expect(goesOn(open, causeAt(n(2), both), part)).toBe('grown');
    expect(goesOn(closed, causeAt(n(2), both), part)).toBe(undefined);
  });

  it('is left of it where a channel of that works again', () => {
    const part = { of: causeAt(n(2), 0b0110), paths: 16 };
    expect(goesOn(open, causeAt(n(2), both), part)).toBe('leftover');
  });

  it('is not left of what never was a finding', () => {
    const never = { ...closed, closedMs: undefined };
    const whole = { of: causeAt(n(2), both), paths: 4 };
    expect(goesOn(closed, causeAt(n(2), echoes), whole)).toBe('leftover');
    expect(goesOn(never, causeAt(n(2), echoes), whole)).toBe(undefined);
  });

  it('is not left of one of other channels elsewhere, nor of another trouble', () => {
    const everywhere = (channels: number, trouble: 'broken' | 'lossy' = 'broken') => {
      const of: NamedCause = { trouble, channels, type: 'cluster', names: [] };
      return goesOn(open, causeAt(n(2), both), { of, paths: 4 });
    };
    expect(everywhere(both)).toBe('leftover');
    expect(everywhere(0b0011)).toBe(undefined);
    expect(everywhere(both, 'lossy')).toBe(undefined);
  });

  it('is a part of one that explains as much as before, of its channels and its trouble alone', () => {
    const whole = { of: causeAt(n(2), both), paths: 4, explains: 8 };
    expect(goesOn(open, causeAt(n(2), echoes), whole)).toBe('leftover');
    expect(goesOn(open, causeAt(n(2), 0b0001), whole)).toBe(undefined);
    expect(goesOn(open, { ...causeAt(n(2), echoes), trouble: 'lossy' }, whole)).toBe(undefined);
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
