import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { clusterOf, found, n, start } from './cluster.js';

const nodes = 40;
/** A large cluster's interval, so that a row is from before for most of a minute. */
const intervalS = 50;
const dead = n(nodes);
const counted = Array.from({ length: nodes }, (_, at) => at + 1);

/** When each observer confirmed its last row at a time, in seconds: one after the other, once in an interval. */
const confirmedS = (number: number, atS: number) => {
  const phaseS = (number * intervalS) / nodes;
  return Math.floor((atS - phaseS) / intervalS) * intervalS + phaseS;
};

/**
 * A node whose endpoint fails for all from `diesS`, and is repaired at `backS`. Rows come once in an interval.
 * @param startS when the agent started
 */
function findingsAt(timesS: readonly number[], diesS: number, backS: number, startS = -3600) {
  let previous: DiagnosisOutput | undefined;
  return timesS.map((atS) => {
    const numberOf = (name: string) => Number(name.slice(3));
    const toldS = (name: string) => (name === n(1) ? atS : confirmedS(numberOf(name), atS));
    const input = clusterOf(nodes, {
      says: ({ from, to, plane }) => {
        const isBroken = toldS(from) >= diesS + 3 && toldS(from) < backS + 2;
        return to === dead && plane === 'endpoint' && isBroken
          ? { state: 'unreachable', ageSeconds: toldS(from) - diesS - 2, failure: 'timeout' }
          : undefined;
      },
      rows: Object.fromEntries(
        counted.map((number) => {
          const ageMs = 1000 * (atS - toldS(n(number)));
          const row = { httpIntervalMs: intervalS * 1000 };
          return [n(number), { ageMs, bodyAgeMs: ageMs, row }];
        }),
      ),
      input: { now: start + 1000 * atS, uptimeMs: 1000 * (atS - startS), previous },
    });
    previous = diagnose(input);
    return { findings: previous.findings, unexplained: previous.unexplained };
  });
}

const everyHalf = (untilS: number) => Array.from({ length: 2 * untilS }, (_, at) => at / 2);

describe('rows of before, where each comes once in a minute', () => {
  const all = findingsAt(everyHalf(220), 60, 140);
  const at = (atS: number) => all[2 * atS];

  it('say nothing against a fault that began since', () => {
    const opened = all.findIndex(({ findings }) => findings.length > 0) / 2;
    // Most rows are still from before it.
    expect(opened).toBeLessThan(60 + intervalS / 2);
    expect(all[2 * opened]?.findings.map(({ id }) => id)).toEqual([`endpoint-plane:${dead}`]);
  });

  it('are not counted among those that looked since', () => {
    const opened = all.find(({ findings }) => findings.length > 0);
    const [finding] = opened?.findings ?? [];
    expect(finding?.looked).toEqual({ of: finding?.seenBy.failing });
    expect(finding?.seenBy.of).toBe(nodes - 1);
    expect(finding?.text).toMatch(/^none of \d+ nodes can reach/);
  });

  it('keep no finding open after the repair', () => {
    expect(at(139)?.findings).toHaveLength(1);
    for (let atS = 146; atS < 220; atS++) expect(at(atS)?.findings).toEqual([]);
  });

  it('leave the paths that they tell of unexplained for as long as they stand', () => {
    expect(at(150)?.unexplained).toBeGreaterThan(0);
    expect(at(200)?.unexplained).toBe(0);
  });
});

describe('an agent that was started after a repair', () => {
  it('sees by the times of the rows that the fault has ended', () => {
    const timesS = everyHalf(190).filter((atS) => atS >= 147);
    const all = findingsAt(timesS, 60, 140, 146);
    expect(all.flatMap(({ findings }) => findings)).toEqual([]);
    expect(all[0]?.unexplained).toBeGreaterThan(0);
  });
});

describe('a report of one node alone', () => {
  const minutesMs = 250_000;
  /** @param otherMs how long ago the other end confirmed its row, in which the pair works */
  const look = (confirmedMs: number, otherMs = 0) =>
    diagnose(
      clusterOf(nodes, {
        says: ({ from, to }) =>
          from === n(2) && to === n(3)
            ? {
                state: 'unreachable',
                ageSeconds: (minutesMs - confirmedMs) / 1000 + 2,
                failure: 'timeout',
              }
            : undefined,
        rows: {
          [n(2)]: {
            ageMs: confirmedMs,
            bodyAgeMs: confirmedMs,
            row: { httpIntervalMs: minutesMs },
          },
          [n(3)]: { ageMs: otherMs, bodyAgeMs: otherMs },
        },
      }),
    );
  const idsOf = ({ findings }: DiagnosisOutput) => findings.map(({ id }) => id);

  it('does not say that the trouble has lasted since', () => {
    expect(idsOf(look(minutesMs))).toEqual([]);
  });

  it('says so once the node has confirmed it', () => {
    expect(idsOf(look(0))).toEqual(['pair:c/n2,c/n3']);
  });

  it('is asked for anew where the other end reaches it long after', () => {
    expect(idsOf(look(60_000))).toEqual(['pair:c/n2,c/n3']);
    expect(look(60_000).outdated).toEqual([n(2)]);
    expect(look(60_000, 58_000).outdated).toEqual([]);
    expect(look(0).outdated).toEqual([]);
  });
});

describe('a fault that comes again after its end', () => {
  it('is found again', () => {
    let previous: DiagnosisOutput | undefined;
    const look = (atS: number, sinceS: number | undefined) => {
      const input = clusterOf(8, {
        says: ({ to, plane }) =>
          sinceS !== undefined && to === n(7) && plane === 'endpoint'
            ? { state: 'unreachable', ageSeconds: atS - sinceS, failure: 'timeout' }
            : undefined,
        rows: Object.fromEntries(
          [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [n(number), { ageMs: 0 }]),
        ),
        input: { now: start + 1000 * atS, previous },
      });
      previous = diagnose(input);
      return previous.findings.map(({ id }) => id);
    };
    look(0, undefined);
    look(20, 0);
    expect(look(22, 0)).toEqual(['endpoint-plane:c/n7']);
    expect(look(24, undefined)).toEqual([]);
    look(30, 26);
    expect(look(33, 26)).toEqual(['endpoint-plane:c/n7']);
  });
});

describe('a node that cannot send, of which its own row alone tells', () => {
  /** @param confirmedS how long after the beginning the node confirmed its row, and how many nodes it has sent a GET to */
  const findingsBy = (confirmedS: number, probed: number) => {
    const ageMs = 5000;
    return found(nodes, {
      says: ({ from, to, protocol }) =>
        from === dead && (protocol === 'icmp' || Number(to.slice(3)) <= probed)
          ? { state: 'unreachable', ageSeconds: confirmedS - 3, failure: 'timeout' }
          : undefined,
      rows: Object.fromEntries(
        counted.map((number) => {
          const row = { httpIntervalMs: intervalS * 1000 };
          return [n(number), { row, ...(n(number) === dead ? { ageMs, bodyAgeMs: ageMs } : {}) }];
        }),
      ),
    }).findings.map(({ kind }) => kind);
  };

  it('is not told by a part of its channels before it has probed all of its paths', () => {
    expect(findingsBy(20, 12)).toEqual([]);
  });

  it('is told by all of them once it has', () => {
    expect(findingsBy(60, nodes)).toEqual(['node-isolated']);
  });
});
