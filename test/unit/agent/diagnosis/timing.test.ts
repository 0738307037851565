import { describe, expect, it } from 'vitest';
import type { DiagnosisOutput } from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { standMs } from '../../../../agent/diagnosis/life/opening-times.js';
import {
  found,
  idsOf,
  n,
  namesOf,
  numberOf,
  rowsOf as allRowsOf,
  watching,
  type ClusterOptions,
  type PathOf,
} from './cluster.js';
import { failing as failingPaths, isAt, isBetween, isTo, type Which } from './paths.js';

const nodes = 8;

/** Rows that the others all confirmed so many milliseconds ago. The ages in them are those of now. */
const rowsOf = (ageMs: number) => ({
  ...allRowsOf(namesOf(nodes), { ageMs, bodyAgeMs: 0 }),
  [n(1)]: { ageMs: 0, bodyAgeMs: 0 },
});

/** Runs the diagnosis twice a second on what a cluster looks like so many seconds after a fault. */
function ran(
  untilS: number,
  lookAt: (seconds: number) => ClusterOptions,
  size = nodes,
): DiagnosisOutput {
  const look = watching(size);
  let last = look(0);
  for (let seconds = 1; seconds <= untilS; seconds += 0.5) last = look(seconds, lookAt(seconds));
  return last;
}

describe('a node that all lost', () => {
  const lost = (ageSeconds: number, heardMsAgo: number): ClusterOptions => ({
    says: failingPaths(isTo(n(7)), { ageSeconds }),
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

  it('is told once it was sure for half a second, as in a small cluster one more row may tell another cause', () => {
    const heard = (now: number) => lost(now, 1000 * (now + 3));
    expect(ran(4, heard).findings).toEqual([]);
    expect(ran(4.5, heard).findings).toHaveLength(1);
    expect(ran(4, heard, 257).findings).toHaveLength(1);
  });

  it('waits where one of its GETs came since, as a second one decides', () => {
    expect(ran(4.5, (now) => lost(now, 1000 * (now + 3))).findings).toHaveLength(1);
    expect(ran(4.5, (now) => lost(now, 200)).findings).toEqual([]);
  });

  it('is not called down before it had to send anything, if the rows are as old as the fault', () => {
    const look = (now: number) => ({ ...lost(now, 1000 * (now + 3)), rows: rowsOf(1000 * now) });
    expect(ran(5, look).findings).toEqual([]);
  });
});

/** How many seconds after all is seen at once a finding opens. */
function openedAfter(ageAtFirst: number, fails: Which): number {
  const lookAt = (now: number): ClusterOptions => ({
    says: failingPaths(fails, { ageSeconds: Math.floor(ageAtFirst + now - 1) }),
    rows: rowsOf(0),
  });
  let seconds = 0;
  while (ran(1 + seconds, lookAt).findings.length === 0) seconds += 0.5;
  return seconds;
}

describe('a cause that some of those who look see', () => {
  const witnesses = [n(1), n(2), n(3), n(4)];
  const seenBySome = ({ from, to, protocol }: PathOf) =>
    protocol === 'http' && to === n(7) && witnesses.includes(from);

  it('stands for a while, as a part must not be taken for the whole', () => {
    expect(openedAfter(2, seenBySome)).toBe(1);
  });

  it('stands only shortly where it was believed late', () => {
    expect(openedAfter(5, seenBySome)).toBe(0.5);
  });
});

describe('a cause that all who look see', () => {
  it('stands only shortly, as nobody is left who may see more of it', () => {
    expect(openedAfter(3, isBetween(n(3), n(4)))).toBe(0.5);
  });
});

describe('how long a cause stands', () => {
  it('falls with the witnesses, down to half a second with eight or with all who look', () => {
    const standsMs = (failing: number, of: number) => Math.round(standMs({ failing, of }));
    expect([1, 2, 4, 8, 900].map((failing) => standsMs(failing, 999))).toEqual([
      2000, 1500, 1000, 500, 500,
    ]);
    expect([1, 2, 4].map((failing) => standsMs(failing, 4))).toEqual([2000, 1250, 500]);
    expect([standsMs(1, 1), standsMs(2, 2), standsMs(0, 0)]).toEqual([500, 500, 500]);
  });
});

describe('newer rows are wanted', () => {
  const failing = (ageSeconds: number, fails: Which): ClusterOptions => ({
    says: failingPaths(fails, { ageSeconds }),
  });
  const endpointOf7 = isTo(n(7), 'endpoint');

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
    // Most of its own probes work again, and few of those to it.
    const isBack = ({ from, to }: PathOf) =>
      from === n(7) ? numberOf(to) > 4 : numberOf(from) > 5;
    const idsAt = (untilS: number) =>
      idsOf(
        ran(untilS, (now) => ({
          says: failingPaths((path) => isAt(n(7))(path) && !(now > 29 && isBack(path)), {
            ageSeconds: now,
          }),
          rows: rowsOf(200),
        })),
      );
    expect(idsAt(29)).toEqual(['node:c/n7']);
    for (const untilS of [29.5, 30, 31, 32]) expect(idsAt(untilS)).toEqual([]);
  });
});

describe('a node whose paths are slow', () => {
  /** The findings in the end: half of the paths from and to it are slow first, and then only one of its own. */
  const findingsOf = (untilS: number, halfUntilS: number) => {
    const isOfHalf: Which = (path) => [1, 2, 3, 4].some((other) => isBetween(n(7), n(other))(path));
    const isOne: Which = ({ from, to }) => from === n(7) && [n(1), n(2)].includes(to);
    return ran(untilS, (seconds) => ({
      says: (path) =>
        (seconds < halfUntilS ? isOfHalf : isOne)(path)
          ? { state: 'slow', ageSeconds: Math.floor(seconds) }
          : undefined,
    })).findings;
  };

  it('has a finding if they stay slow', () => {
    expect(findingsOf(70, Infinity)).toMatchObject([{ id: 'slow:c/n7' }]);
  });

  it('has none if most of them recover before it opens', () => {
    expect(findingsOf(70, 40)).toEqual([]);
  });

  it('keeps its finding while some of them recover later', () => {
    expect(findingsOf(90, 70)).toMatchObject([{ id: 'slow:c/n7' }]);
  });
});

describe('two nodes that lost their endpoint planes one after the other', () => {
  const size = 12;
  /** The second one failed two seconds later, and not all that fail to reach it have told so. */
  const saysAt =
    (oldS: number, youngS: number) =>
    ({ from, to, plane }: PathOf) => {
      const isYoungTold = from === n(10) || (to === n(10) && numberOf(from) <= 6);
      const isOld = from === n(5) || to === n(5);
      if (plane !== 'endpoint' || (!isOld && !isYoungTold)) return undefined;
      const ageSeconds = isOld ? oldS : youngS;
      return { state: 'unreachable', ageSeconds, failure: 'timeout' } as const;
    };
  // All look since, but not long enough for what works to count in full.
  const rows = allRowsOf(namesOf(size), { ageMs: 200, bodyAgeMs: 0 });
  const idsAt = (oldS: number, youngS: number) =>
    idsOf(found(size, { says: saysAt(oldS, youngS), rows }));

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
    found(nodes, {
      says: (path) =>
        failingPaths(isTo(n(7), 'host', 'http'), {
          ageSeconds: early.includes(path.from) ? ageSeconds : 1,
          failure: 'refused',
        })(path),
      without: [n(7)],
      input: { heardMsAgo: new Map([[n(7), 20_000]]) },
    }).findings;

  it('is gone once two observers were refused for 5.5 seconds, however late the others came', () => {
    expect(closed([n(2), n(3)], 4)).toMatchObject([{ kind: 'agent-down' }]);
    expect(closed([n(2), n(3)], 3)).toEqual([]);
  });

  it('may be restarting while only one says that it is longer', () => {
    expect(closed([n(2)], 60)).toEqual([]);
  });
});
