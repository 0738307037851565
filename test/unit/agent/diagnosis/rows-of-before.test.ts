import { describe, expect, it } from 'vitest';
import {
  confirmedRows,
  found,
  idsOf,
  n,
  namesOf,
  numberOf,
  rowsOf,
  watching,
  type PathOf,
} from './cluster.js';
import { failing, isFrom, isTo } from './paths.js';

const nodes = 40;
/** A large cluster's interval, so that a row is from before for most of a minute. */
const intervalS = 50;
const dead = n(nodes);

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
  const look = watching(nodes);
  return timesS.map((atS) => {
    const toldS = (name: string) => (name === n(1) ? atS : confirmedS(numberOf(name), atS));
    const isBroken = ({ from }: PathOf) => toldS(from) >= diesS + 3 && toldS(from) < backS + 2;
    return look(atS, {
      says: (path) =>
        failing((one) => isTo(dead, 'endpoint')(one) && isBroken(one), {
          ageSeconds: toldS(path.from) - diesS - 2,
        })(path),
      rows: confirmedRows(namesOf(nodes), atS, toldS, intervalS),
      input: { uptimeMs: 1000 * (atS - startS) },
    });
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
    found(nodes, {
      says: failing(({ from, to }) => from === n(2) && to === n(3), {
        ageSeconds: (minutesMs - confirmedMs) / 1000 + 2,
      }),
      rows: {
        [n(2)]: {
          ageMs: confirmedMs,
          bodyAgeMs: confirmedMs,
          row: { httpIntervalMs: minutesMs },
        },
        [n(3)]: { ageMs: otherMs, bodyAgeMs: otherMs },
      },
    });

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
    const agent = watching(8);
    const look = (atS: number, sinceS: number | undefined) => {
      const fails = (path: PathOf) => sinceS !== undefined && isTo(n(7), 'endpoint')(path);
      const says = failing(fails, { ageSeconds: atS - (sinceS ?? 0) });
      return idsOf(agent(atS, { says, rows: rowsOf(namesOf(8), { ageMs: 0 }) }));
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
    const isProbed = ({ to, protocol }: PathOf) => protocol === 'icmp' || numberOf(to) <= probed;
    const row = { httpIntervalMs: intervalS * 1000 };
    const { findings } = found(nodes, {
      says: failing((path) => isFrom(dead)(path) && isProbed(path), { ageSeconds: confirmedS - 3 }),
      rows: {
        ...rowsOf(namesOf(nodes), { row }),
        [dead]: { row, ageMs: 5000, bodyAgeMs: 5000 },
      },
    });
    return findings.map(({ kind }) => kind);
  };

  it('is not told by a part of its channels before it has probed all of its paths', () => {
    expect(findingsBy(20, 12)).toEqual([]);
  });

  it('is told by all of them once it has', () => {
    expect(findingsBy(60, nodes)).toEqual(['node-isolated']);
  });
});

describe('agents that no hint of a repair reaches', () => {
  const [many, diesS, backS] = [200, 5, 65];
  /** They look again in their own time, long after the others. */
  const untoldS = (from: string) => (numberOf(from) % 20 === 0 ? backS + 35 : backS + 3);

  it('are not told as nodes that do not reach the other one', () => {
    const look = watching(many);
    const row = { ageMs: 0, bodyAgeMs: 0, row: { httpIntervalMs: intervalS * 1000 } };
    const rows = rowsOf(namesOf(many), row);
    const idsAt = (atS: number) => {
      const fails = ({ from, to, plane }: PathOf) =>
        to === n(3) && plane === 'endpoint' && atS > diesS && atS < untoldS(from);
      return idsOf(look(atS, { says: failing(fails, { ageSeconds: atS - diesS }), rows }));
    };
    const told = Array.from({ length: backS + 40 }, (_, atS) => idsAt(atS));
    expect(told[backS - 1]).toEqual([`endpoint-plane:${n(3)}`]);
    expect(new Set(told.slice(backS + 8).flat())).toEqual(new Set());
  });
});

describe('a node that is down, of which one row of many says that all works', () => {
  it('is told on: one row may be wrong', () => {
    const look = watching(23);
    const isDown = failing(isTo(n(3)), { ageSeconds: 300 });
    const says = (path: PathOf) => isDown(path);
    const oneWrong = (path: PathOf) => (path.from === n(9) ? undefined : isDown(path));
    const idsAt = (atS: number, telling: typeof says) =>
      idsOf(look(atS, { says: telling, without: [n(3)] }));
    expect(idsAt(0, says)).toEqual([`node:${n(3)}`]);
    for (const atS of [1, 2, 3, 20, 40]) expect(idsAt(atS, oneWrong)).toEqual([`node:${n(3)}`]);
  });
});
