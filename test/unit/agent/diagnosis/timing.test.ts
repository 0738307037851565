import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { clusterOf, n, start, type PathOf } from './cluster.js';

type Options = NonNullable<Parameters<typeof clusterOf>[1]>;

const nodes = 8;
const others = Array.from({ length: nodes }, (_, at) => n(at + 1)).filter((name) => name !== n(7));

/** Rows that the others all confirmed so many milliseconds ago. The ages in them are those of now. */
const rowsOf = (ageMs: number) =>
  Object.fromEntries(
    others.map((name) => [name, { ageMs: name === n(1) ? 0 : ageMs, bodyAgeMs: 0 }]),
  );

/** Runs the diagnosis twice a second on what a cluster looks like so many seconds after a fault. */
function ran(untilS: number, lookAt: (seconds: number) => Options): DiagnosisOutput {
  let previous = diagnose(clusterOf(nodes, { input: { now: start } }));
  for (let seconds = 1; seconds <= untilS; seconds += 0.5) {
    const { input, ...look } = lookAt(seconds);
    const now = start + 1000 * seconds;
    previous = diagnose(clusterOf(nodes, { ...look, input: { ...input, now, previous } }));
  }
  return previous;
}

describe('a node that all lost', () => {
  const lost = (ageSeconds: number, heardMsAgo: number): Options => ({
    says: ({ to }) =>
      to === n(7) ? { state: 'unreachable', ageSeconds, failure: 'timeout' } : undefined,
    without: [n(7)],
    rows: rowsOf(500),
    input: { heardMsAgo: new Map([[n(7), heardMsAgo]]) },
  });

  it('is down once its GETs are missed, and not before', () => {
    // Each observer gets one of its GETs in five seconds.
    const at = (seconds: number) => ran(seconds, (now) => lost(now, 1000 * (now + 3))).findings;
    expect(at(2.5)).toEqual([]);
    expect(at(6)).toMatchObject([{ id: 'node:c/n7', kind: 'node-down' }]);
  });

  it('waits where one of its GETs came since, as a second one decides', () => {
    expect(ran(4, (now) => lost(now, 1000 * (now + 3))).findings).toHaveLength(1);
    expect(ran(4, (now) => lost(now, 200)).findings).toEqual([]);
  });

  it('is not called down before it had to send anything, if the rows are as old as the fault', () => {
    const look = (now: number) => ({ ...lost(now, 1000 * (now + 3)), rows: rowsOf(1000 * now) });
    expect(ran(5, look).findings).toEqual([]);
  });
});

describe('a cause with two witnesses', () => {
  const ends = [n(3), n(4)];
  const cutFor = (ageSeconds: number): Options => ({
    says: ({ from, to }) =>
      ends.includes(from) && ends.includes(to)
        ? { state: 'unreachable', ageSeconds: Math.floor(ageSeconds), failure: 'timeout' }
        : undefined,
    rows: rowsOf(0),
  });
  /** How many seconds after all is seen at once a finding opens. */
  const openedAfter = (ageAtFirst: number): number => {
    let seconds = 0;
    while (ran(1 + seconds, (now) => cutFor(ageAtFirst + now - 1)).findings.length === 0)
      seconds += 0.5;
    return seconds;
  };

  it('stands for a while, as a part must not be taken for the whole', () => {
    expect(openedAfter(3)).toBe(1.5);
  });

  it('stands only shortly where it was believed late', () => {
    expect(openedAfter(5)).toBe(0.5);
  });
});

describe('newer rows are wanted', () => {
  const failing = (ageSeconds: number, fails: (path: PathOf) => boolean): Options => ({
    says: (path) =>
      fails(path) ? { state: 'unreachable', ageSeconds, failure: 'timeout' } : undefined,
  });
  const endpointOf7 = ({ to, plane }: PathOf) => to === n(7) && plane === 'endpoint';

  it('not while all is well, nor while a finding stands as it is', () => {
    expect(ran(10, () => ({})).wantsRows).toBe(false);
    const { findings, wantsRows } = ran(60, (now) => failing(now, endpointOf7));
    expect(findings).toHaveLength(1);
    expect(wantsRows).toBe(false);
  });

  it('while a finding waits to open', () => {
    const { findings, wantsRows } = ran(1, (now) => failing(now, endpointOf7));
    expect(findings).toEqual([]);
    expect(wantsRows).toBe(true);
  });

  it('while its paths begin to work again', () => {
    const recovers = (now: number) => (path: PathOf) =>
      endpointOf7(path) && (now < 30 || path.from !== n(2));
    expect(ran(29.5, (now) => failing(now, recovers(now))).wantsRows).toBe(false);
    expect(ran(30, (now) => failing(now, recovers(now))).wantsRows).toBe(true);
  });

  it('while paths fail without a finding for the first time', () => {
    const one = ({ from, to, plane }: PathOf) => from === n(2) && to === n(3) && plane === 'host';
    const look = (now: number) => failing(now, (path) => now >= 10 && one(path));
    const { unexplained, wantsRows } = ran(10, look);
    expect(unexplained).toBeGreaterThan(0);
    expect(wantsRows).toBe(true);
  });
});

describe('a node that recovers', () => {
  it('is no other finding where fewer of its paths fail one way than the other', () => {
    const isOf7 = ({ from, to }: PathOf) => from === n(7) || to === n(7);
    // Most of its own probes work again, and few of those to it.
    const isBack = ({ from, to }: PathOf) =>
      from === n(7) ? Number(to.slice(3)) > 4 : Number(from.slice(3)) > 5;
    const idsAt = (untilS: number) =>
      ran(untilS, (now) => ({
        says: (path) =>
          isOf7(path) && !(now > 29 && isBack(path))
            ? { state: 'unreachable', ageSeconds: now, failure: 'timeout' }
            : undefined,
        rows: rowsOf(200),
      })).findings.map(({ id }) => id);
    expect(idsAt(29)).toEqual(['node:c/n7']);
    for (const untilS of [29.5, 30, 31, 32]) expect(idsAt(untilS)).toEqual([]);
  });
});

describe('a node whose paths are slow', () => {
  /** Half of the paths from and to it are slow first, and then only one of its own. */
  const slowOf7 =
    (isHalf: (seconds: number) => boolean) =>
    (seconds: number): Options => ({
      says: ({ from, to }) => {
        const isOfHalf =
          [from, to].includes(n(7)) &&
          [n(1), n(2), n(3), n(4)].some((name) => [from, to].includes(name));
        const isOne = from === n(7) && [n(1), n(2)].includes(to);
        return (isHalf(seconds) ? isOfHalf : isOne)
          ? { state: 'slow', ageSeconds: Math.floor(seconds) }
          : undefined;
      },
    });

  it('has a finding if they stay slow', () => {
    expect(
      ran(
        70,
        slowOf7(() => true),
      ).findings,
    ).toMatchObject([{ id: 'slow:c/n7' }]);
  });

  it('has none if most of them recover before it opens', () => {
    expect(
      ran(
        70,
        slowOf7((seconds) => seconds < 40),
      ).findings,
    ).toEqual([]);
  });

  it('keeps its finding while some of them recover later', () => {
    expect(
      ran(
        90,
        slowOf7((seconds) => seconds < 70),
      ).findings,
    ).toMatchObject([{ id: 'slow:c/n7' }]);
  });
});

describe('two nodes that lost their endpoint planes one after the other', () => {
  const size = 12;
  /** The second one failed two seconds later, and not all that fail to reach it have told so. */
  const saysAt =
    (oldS: number, youngS: number) =>
    ({ from, to, plane }: PathOf) => {
      const isYoungTold = from === n(10) || (to === n(10) && Number(from.slice(3)) <= 6);
      const isOld = from === n(5) || to === n(5);
      if (plane !== 'endpoint' || (!isOld && !isYoungTold)) return undefined;
      const ageSeconds = isOld ? oldS : youngS;
      return { state: 'unreachable', ageSeconds, failure: 'timeout' } as const;
    };
  // All look since, but not long enough for what works to count in full.
  const rows = Object.fromEntries(
    Array.from({ length: size }, (_, at) => [n(at + 1), { ageMs: 200, bodyAgeMs: 0 }]),
  );
  const idsAt = (oldS: number, youngS: number) =>
    diagnose(clusterOf(size, { says: saysAt(oldS, youngS), rows })).findings.map(({ id }) => id);

  it('are two nodes and not the cluster', () => {
    expect(idsAt(4.5, 2.5)).toEqual(['endpoint-plane:c/n5', 'endpoint-plane:c/n10']);
  });

  it('are not the cluster before that, as most paths are not told as failing', () => {
    expect(idsAt(2.9, 0.9)).not.toContain('endpoint-plane:all');
  });
});

describe('an agent whose port is closed', () => {
  /** Rows are two seconds old: some observers said in them that they are refused for so long, the others for a second. */
  const closed = (early: readonly string[], ageSeconds: number) =>
    diagnose(
      clusterOf(nodes, {
        says: ({ from, to, plane, protocol }: PathOf) =>
          to === n(7) && plane === 'host' && protocol === 'http'
            ? {
                state: 'unreachable',
                ageSeconds: early.includes(from) ? ageSeconds : 1,
                failure: 'refused',
              }
            : undefined,
        without: [n(7)],
        input: { heardMsAgo: new Map([[n(7), 20_000]]) },
      }),
    ).findings;

  it('is gone once two observers were refused for 5.5 seconds, however late the others came', () => {
    expect(closed([n(2), n(3)], 4)).toMatchObject([{ kind: 'agent-down' }]);
    expect(closed([n(2), n(3)], 3)).toEqual([]);
  });

  it('may be restarting while only one says that it is longer', () => {
    expect(closed([n(2)], 60)).toEqual([]);
  });
});
