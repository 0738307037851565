import { describe, expect, it } from 'vitest';
import type { RowRefutation } from '../../../../../agent/model/refutation.js';
import { unreachedS } from '../../../../../agent/diagnosis/evidence/silence.js';
import { found, n, namesOf, rowsOf } from '../cluster.js';

const count = 250;
const dead = n(count);
const refutation: RowRefutation = { afterMs: 2000, forMs: 3000, perSecond: 150 };

describe('since when no GET reaches a node', () => {
  const [hostIcmp, hostHttp] = [0b0001, 0b0010] as const;
  /** Observers say so many seconds ago that a path fails, on some channels. */
  const since = (beganS: number, ...said: readonly (readonly [ageS: number, mask: number])[]) =>
    unreachedS(
      {
        bad: Uint8Array.from(said, ([, mask]) => mask),
        entriesTo: () => Int32Array.from(said.keys()),
        ageS: (entry) => said[entry]?.[0] ?? 0,
      },
      0,
      beganS,
    );

  it('is told by the second verdict of all: it was lost 1.4 s before', () => {
    const all = [9, 5, 4, 3].map((ageS) => [ageS, hostHttp] as const);
    expect(since(3.5, ...all)).toBeCloseTo(5 + 1.4);
    expect(since(3.5, ...all.slice(2))).toBeCloseTo(4 - 0.5 + 1.4);
    expect(since(3.5)).toBeCloseTo(3.5 + 1.4);
  });

  it('is not told by echoes', () => {
    expect(since(3, [60, hostIcmp], [50, hostIcmp], [4, hostHttp])).toBeCloseTo(3 + 1.4);
  });
});

/** Some 30 rows come in a second, by turns; each agent sends each other one a GET once in 50 s. */
const ageMsOf = (at: number) => 33 * at;

/** The kinds of finding that are open so long after all others said that a node fails, if that sent nothing since. */
function kindsAfter(
  ageSeconds: number,
  told: RowRefutation | undefined,
  hearing: readonly string[] = [],
  unheardSeconds?: number,
): string[] {
  const names = namesOf(count);
  const rows = rowsOf(names, (name) => ({
    ageMs: name === dead ? 1000 * ageSeconds + 5000 : ageMsOf(names.indexOf(name)),
    row: {
      httpIntervalMs: 50_000,
      refutation: told,
      ...(hearing.includes(name) && { heard: [dead] }),
    },
  }));
  const { findings } = found(count, {
    says: ({ from, to, plane, protocol }) => {
      if (to !== dead) return undefined;
      const isOfGets = plane === 'host' && protocol === 'http';
      const sinceS = ageSeconds - ageMsOf(names.indexOf(from)) / 1000;
      return sinceS > 0
        ? {
            state: 'unreachable',
            ageSeconds: Math.floor(sinceS),
            ...(isOfGets && unheardSeconds !== undefined && { unheardSeconds }),
          }
        : undefined;
    },
    rows,
    input: { heardMsAgo: new Map([[dead, 1000 * ageSeconds + 5000]]) },
  });
  return findings.map(({ kind }) => kind);
}

describe('a node that sends nothing any more', () => {
  it('is dead for sure the sooner if it would have let itself be heard', () => {
    expect(kindsAfter(2.5, undefined)).toEqual([]);
    expect(kindsAfter(2.5, refutation)).toEqual(['node-down']);
  });

  it('was listened for since before the whole seconds that rows tell', () => {
    expect(kindsAfter(2.5, { ...refutation, perSecond: 11 })).toEqual([]);
    expect(kindsAfter(2.5, { ...refutation, perSecond: 18 })).toEqual(['node-down']);
  });

  it('was listened for, or heard, before the verdicts where rows tell when its GET came last', () => {
    const told = { ...refutation, afterMs: 500, perSecond: 6 };
    expect(kindsAfter(2.5, told)).toEqual([]);
    expect(kindsAfter(2.5, told, [], 60)).toEqual(['node-down']);
    expect(kindsAfter(2.5, told, [], 0)).toEqual(['node-isolated']);
    // It need not refute yet, and its next usual GET may not be due.
    expect(kindsAfter(2.5, { ...told, afterMs: 60_000 }, [], 46)).toEqual([]);
  });

  it('is not dead for sure before it could let itself be heard, or if it sends few GETs', () => {
    expect(kindsAfter(0.5, refutation)).toEqual([]);
    expect(kindsAfter(2.5, { ...refutation, afterMs: 60_000 })).toEqual([]);
    expect(kindsAfter(2.5, { ...refutation, forMs: 0 })).toEqual([]);
    expect(kindsAfter(2.5, { ...refutation, perSecond: 1 })).toEqual([]);
  });

  it('lives if two observers heard it', () => {
    expect(kindsAfter(2.5, refutation, [n(2), n(3)])).toEqual(['node-isolated']);
  });

  it('is not said to be silent by those who hear it since another path to it failed', () => {
    const names = namesOf(count);
    const sees = (from: string) => names.indexOf(from) % 5 !== 0;
    const kindsIf = (heard: readonly string[]) =>
      found(count, {
        says: ({ from, to, plane, protocol }) => {
          const isFirst = plane === 'endpoint' && protocol === 'http';
          if (to !== dead || (!isFirst && !sees(from))) return undefined;
          return { state: 'unreachable', ageSeconds: isFirst ? 300 : 1 };
        },
        rows: rowsOf(names, (name) => ({
          ageMs: name === dead ? 8000 : 100,
          row: {
            httpIntervalMs: 100_000,
            refutation: { ...refutation, afterMs: 60_000 },
            ...(!sees(name) && { heard }),
          },
        })),
        input: { heardMsAgo: new Map([[dead, 3000]]) },
      }).findings.map(({ kind }) => kind);
    expect(kindsIf([])).toEqual(['node-down']);
    expect(kindsIf([dead])).toEqual([]);
  });

  it('lives while rows that have not changed for long say so, and are confirmed', () => {
    const { findings } = found(12, {
      says: ({ to }) => (to === n(12) ? { state: 'unreachable', ageSeconds: 30 } : undefined),
      rows: rowsOf(namesOf(12), { ageMs: 1000, bodyAgeMs: 60_000, row: { heard: [n(12)] } }),
      without: [n(12)],
    });
    expect(findings.map(({ kind }) => kind)).toEqual(['node-isolated']);
  });
});
