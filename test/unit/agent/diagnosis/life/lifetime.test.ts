import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../../../agent/diagnosis/nouns/diagnosis-input.js';
import {
  clusterOf,
  idsOf,
  n,
  namesOf,
  numberOf,
  rowsOf,
  start,
  starvedRow,
  watching,
  type PathOf,
  type RowSaying,
} from '../cluster.js';
import { failing, isBetween, isFrom, isTo, type Which } from '../paths.js';

/** The rows of a cluster of eight as they are at this moment. */
const fresh = rowsOf(namesOf(8), { ageMs: 0 });
const never: Which = () => false;

/** An agent that diagnoses a cluster of 8 nodes every half second. The endpoint of node 7 fails at times. */
function agent() {
  const look = watching(8);
  let nextS = 0;
  /** Runs the diagnosis up to this second. The paths fail since `failsSinceS`, or work if it is undefined. */
  return (seconds: number, failsSinceS?: number): DiagnosisOutput => {
    const fails = failsSinceS === undefined ? never : isTo(n(7), 'endpoint');
    const at = (atS: number) => {
      const says = failing(fails, { ageSeconds: atS - (failsSinceS ?? 0) });
      return look(atS, { says, rows: fresh });
    };
    for (; nextS < seconds; nextS += 0.5) at(nextS);
    nextS = seconds + 0.5;
    return at(seconds);
  };
}

/** Looks at a cluster of eight in which these paths fail, since long ago if nothing else is said, one look after the other. */
function looker(without: readonly string[] = []) {
  const look = watching(8);
  return (
    atS: number,
    fails: Which,
    more: { readonly without?: readonly string[]; readonly failsSinceS?: number } = {},
  ) => {
    const { failsSinceS = -100, ...options } = more;
    const says = failing(fails, { ageSeconds: atS - failsSinceS });
    return look(atS, { says, rows: fresh, without, ...options });
  };
}

/** Such looks at paths to n7 on some planes. */
function lookerAtPlanes() {
  const look = looker();
  return (atS: number, planes: readonly string[]) =>
    look(atS, ({ to, plane }) => to === n(7) && planes.includes(plane));
}

const timeOf = (seconds: number) => new Date(start + seconds * 1000).toISOString();

describe('a node or agent that was silent and is heard again', () => {
  /** What is told of node 7, whose paths fail since `beganS`, and of which GETs arrive again since `heardS`. */
  function last(untilS: number, heardS: number, fails: Which = isTo(n(7)), beganS = -10) {
    const look = watching(8);
    const heard = {
      rows: { [n(2)]: { row: { heard: [n(7)] } } },
      input: { heardMsAgo: new Map([[n(7), 500]]) },
    };
    const at = (atS: number) => {
      const says = failing(fails, { ageSeconds: atS - beganS });
      return look(atS, { says, without: [n(7)], ...(atS >= heardS && heard) });
    };
    for (let atS = 0; atS < untilS; atS += 0.5) at(atS);
    return at(untilS);
  }
  const told = (...args: Parameters<typeof last>) =>
    last(...args).findings.map(({ kind, text }) => [kind, text]);
  const kinds = (...args: Parameters<typeof last>) =>
    last(...args).findings.map(({ kind }) => kind);

  it('is told no more, as its paths are not probed again yet', () => {
    const text = 'none of 7 nodes can reach c/n7 (10.0.0.7) at all, ';
    const silent = [['node-down', `${text}and nothing has been heard from it since`]];
    expect(told(9.5, 10)).toEqual(silent);
    expect(told(10, 10)).toEqual([]);
    expect(told(11, 10)).toEqual([]);
  });

  it('leaves paths unexplained until rows tell of now', () => {
    expect(last(9.5, 10).unexplained).toBe(0);
    expect(last(11, 10).unexplained).toBeGreaterThan(0);
  });

  it('stays dead if it was silent for some seconds only, until its paths are known to fail on', () => {
    const after = (untilS: number) => kinds(untilS, 3, isTo(n(7)), -4);
    expect(after(2.5)).toEqual(['node-down']);
    expect(after(4)).toEqual(['node-down']);
    expect(after(9)).toEqual(['node-isolated']);
  });

  it('is told no more where this agent has told it for a moment only, but it was silent for long', () => {
    expect(kinds(2.5, 3)).toEqual(['node-down']);
    expect(kinds(4, 3)).toEqual([]);
  });

  it('is told as isolated if its paths go on failing', () => {
    expect(kinds(16, 10)).toEqual(['node-isolated']);
  });

  it('is told as an agent that is down, and then as a filtered port', () => {
    const isAgent = isTo(n(7), 'host', 'http');
    const text =
      'none of 7 nodes can reach the agent of c/n7 (10.0.0.7:4240); the host itself answers ping';
    expect(told(9.5, 10, isAgent)).toEqual([['agent-down', text]]);
    expect(told(11, 10, isAgent)).toEqual([]);
    expect(kinds(17, 10, isAgent)).toEqual(['http-filtered']);
  });
});

describe('the life of a finding', () => {
  it('begins when its cause has lasted long enough, and has the time when the cause began', () => {
    const until = agent();
    expect(until(10).findings).toEqual([]);
    expect(until(10.5, 10).findings).toEqual([]);
    expect(until(16, 10).findings).toMatchObject([
      { id: 'endpoint-plane:c/n7', since: timeOf(10) },
    ]);
  });

  it('has not come and gone where its paths failed all the time and others with them', () => {
    const look = lookerAtPlanes();
    const texts = Array.from({ length: 200 }, (_, at) =>
      look(at / 2, at % 60 < 30 ? ['endpoint'] : ['endpoint', 'host']).findings.map(
        ({ text }) => text,
      ),
    );
    const [first, last] = [texts[20], texts[140]];
    expect(first).toEqual([expect.stringContaining('endpoint of c/n7') as string]);
    expect(texts[50]).toEqual([expect.stringContaining('at all') as string]);
    expect(last).toEqual(first);
  });

  it('keeps its id and since while it lasts, and ends when its paths work again', () => {
    const until = agent();
    until(20, 10);
    // The paths fail again after a success, but the finding is the same.
    expect(until(40, 30).findings).toMatchObject([
      { id: 'endpoint-plane:c/n7', since: timeOf(10) },
    ]);
    expect(until(41)).toMatchObject({ findings: [], unexplained: 0 });
  });

  it('keeps its first time if it comes and goes, and says so', () => {
    const until = agent();
    until(10);
    for (const at of [10, 40, 70]) {
      expect(until(at + 15, at).findings).toHaveLength(1);
      if (at < 70) expect(until(at + 29).findings).toEqual([]);
    }
    const held = until(100).findings;
    expect(held).toMatchObject([{ id: 'endpoint-plane:c/n7', since: timeOf(10) }]);
    expect(held[0]?.text).toMatch(
      /^until \d\d:\d\d UTC, 3 times in one minute: none of 7 nodes can/,
    );
    expect(until(101).findings[0]?.text).toBe(held[0]?.text);
    const [back] = until(120, 105).findings;
    expect(back).toMatchObject({ id: 'endpoint-plane:c/n7', since: timeOf(10) });
    expect(back?.text).toMatch(/; it has come and gone 3 times in the last 2 minutes$/);
    expect(until(121).findings[0]?.text).toContain(back?.text.split(';')[0]);
    expect(until(190).findings).toEqual([]);
  });

  it('does not come and go where each time another direction of its node fails', () => {
    const look = looker();
    const turns = [isTo(n(7)), never, isFrom(n(7)), never, isTo(n(7)), never];
    const directions = turns.map((fails, turn) => {
      const [fromS, untilS] = [20 * turn, 20 * turn + 20];
      let last: DiagnosisOutput | undefined;
      for (let atS = fromS; atS < untilS; atS += 0.5)
        last = look(atS, fails, { failsSinceS: fromS });
      return last?.findings.map(({ direction }) => direction);
    });
    expect(directions).toEqual([['inbound'], [], ['outbound'], [], ['inbound'], []]);
  });

  it('does not end while its observers are starved, but ends a minute later', () => {
    const look = watching(8);
    const says = failing(isTo(n(7)), { ageSeconds: 100 });
    const idsAt = (atS: number, row: RowSaying) => {
      const rows = rowsOf(namesOf(8), { ageMs: 0, ...row });
      return idsOf(look(atS, { says, rows, without: [n(7)] })).filter(
        (id) => !id.startsWith('observers'),
      );
    };
    expect(idsAt(0, {})).toEqual(['node:c/n7']);
    expect(idsAt(1, starvedRow)).toEqual(['node:c/n7']);
    expect(idsAt(59, starvedRow)).toEqual(['node:c/n7']);
    expect(idsAt(61, starvedRow)).toEqual([]);
  });

  it('does not end when one of two witnesses falls silent, but when both report that all is well', () => {
    const look = watching(8);
    const idsAt = (atS: number, fails: Which, rowOfOne: RowSaying) => {
      const says = failing(fails, { ageSeconds: 10 + atS });
      return idsOf(look(atS, { says, rows: { [n(4)]: rowOfOne } }));
    };
    const pair = isBetween(n(4), n(5));
    expect(idsAt(0, pair, {})).toEqual(['pair:c/n4,c/n5']);
    expect(idsAt(1, pair, starvedRow)).toEqual(['pair:c/n4,c/n5']);
    expect(idsAt(2, pair, { ageMs: 13_000, freshness: 'stale' })).toEqual(['pair:c/n4,c/n5']);
    expect(idsAt(3, never, {})).toEqual([]);
  });

  it('ends when most of the others report success, though most of its witnesses fall silent at the same time', () => {
    const look = watching(8);
    const at = (atS: number, fails: Which, without: readonly string[]) =>
      idsOf(look(atS, { says: failing(fails, { ageSeconds: 100 + atS }), without }));
    const ofPlane = isTo(n(7), 'endpoint');
    const silent = [n(4), n(5), n(6), n(8)];
    expect(at(0, ofPlane, [])).toEqual(['endpoint-plane:c/n7']);
    expect(at(1, (path) => ofPlane(path) && isFrom(n(2))(path), silent)).toEqual([]);
  });

  it('ends when the others report success while the own agent is starved', () => {
    const look = watching(8);
    const says = failing(isTo(n(7)), { ageSeconds: 100 });
    expect(look(0, { says, without: [n(7)] }).findings).toHaveLength(1);
    expect(look(1, { rows: { [n(1)]: starvedRow } }).findings).toEqual([]);
  });

  it('is forgotten some minutes after it has ended', () => {
    const until = agent();
    until(20, 10);
    expect(until(30).memory.size).toBe(1);
    expect(until(700).memory.size).toBe(0);
  });

  it('does not begin again from the paths that recover last', () => {
    const look = looker([n(7)]);
    look(0, never);
    look(1, isTo(n(7)));
    expect(idsOf(look(2, isTo(n(7))))).toEqual(['node:c/n7']);
    // ICMP recovers first, which must not open a finding about HTTP.
    expect(idsOf(look(3, isTo(n(7), 'http')))).toEqual([]);
    expect(idsOf(look(4, isTo(n(7), 'http')))).toEqual([]);
    expect(idsOf(look(5, never))).toEqual([]);
  });

  describe('of what a node sends, which its row alone tells, does not begin again', () => {
    it.each<[string, number, string, (path: PathOf) => boolean]>([
      [
        'channel by channel',
        8,
        n(7),
        ({ plane, protocol }) => protocol === 'http' || plane === 'endpoint',
      ],
      [
        'on a channel that the last run no longer told of',
        11,
        n(11),
        ({ to, plane, protocol }) =>
          numberOf(to) <= (plane === 'endpoint' && protocol === 'http' ? 9 : 5),
      ],
    ])('%s', (_, count, sender, isLate) => {
      const look = watching(count);
      // The node cannot send for thirty seconds, and on some paths for four more.
      const told = Array.from({ length: 81 }, (_, at) => at / 2).map((atS) => {
        const fails: Which = (path) =>
          isFrom(sender)(path) && (atS < 30 || (atS < 34 && isLate(path)));
        const says = failing(fails, { ageSeconds: atS });
        return idsOf(look(atS, { says, rows: rowsOf(namesOf(count), { ageMs: 0 }) }));
      });
      expect([...new Set(told.flat())]).toEqual([`node:${sender}`]);
      expect(told.at(-1)).toEqual([]);
    });
  });

  it('does not begin once more as what its node sends, of which the row of before comes after the repair', () => {
    const look = looker();
    const toHost = isTo(n(7), 'host');
    const late: Which = (path) =>
      toHost(path) || (isFrom(n(7), 'host', 'http')(path) && numberOf(path.to) <= 4);
    look(0, never);
    look(1, toHost, { without: [n(7)] });
    const told = Array.from({ length: 13 }, (_, at) => 2 + at / 2).map((atS) =>
      idsOf(atS < 4 ? look(atS, toHost, { without: [n(7)] }) : look(atS, late)),
    );
    expect(new Set(told.flat())).toEqual(new Set(['host-plane:c/n7']));
  });

  describe('is told in another direction only once that is sure', () => {
    const many = 40;
    /** What is told of node 7 in four seconds, whose paths fail in one direction, and some of the other one too from second 5 on. */
    const directions = (first: Which, then: Which) => {
      const look = watching(many);
      const told = Array.from({ length: 46 }, (_, at) => at / 5).map((atS) => {
        const since = (sinceS: number, fails: Which) =>
          failing((path) => atS >= sinceS && fails(path), { ageSeconds: Math.floor(atS - sinceS) });
        const says = (path: PathOf) => since(1, first)(path) ?? since(5, then)(path);
        const { findings } = look(atS, { says, rows: rowsOf(namesOf(many), { ageMs: 0 }) });
        return atS < 5 ? [] : findings.map(({ id, direction }) => `${id} ${direction}`);
      });
      return [...new Set(told.flat()), told.slice(25).filter((ids) => ids.length !== 1).length];
    };

    it('where the node does not reach a few others', () => {
      const few: Which = (path) => isFrom(n(7))(path) && numberOf(path.to) >= 35;
      expect(directions(isTo(n(7)), few)).toEqual(['node:c/n7 inbound', 0]);
    });

    it('where one other does not reach the node, and then it has not ended', () => {
      const one: Which = (path) => isTo(n(7), 'icmp')(path) && path.from === n(9);
      expect(directions(isFrom(n(7)), one)).toEqual(['node:c/n7 outbound', 0]);
    });
  });

  it('has to stand where the agent has just started, as rows may be from before a repair', () => {
    const look = (atS: number, uptimeMs: number, previous?: DiagnosisOutput) =>
      diagnose(
        clusterOf(8, {
          says: failing(isTo(n(7), 'endpoint'), { ageSeconds: 100 + atS }),
          rows: fresh,
          input: { now: start + atS * 1000, uptimeMs, previous },
        }),
      );
    expect(look(0, 3_600_000).findings).toHaveLength(1);
    const first = look(0, 1000);
    expect(first.findings).toEqual([]);
    const second = look(3, 4000, first);
    expect(second.findings).toEqual([]);
    expect(look(5, 6000, second).findings).toHaveLength(1);
  });

  it('goes on under another name if a part of it stays broken', () => {
    const look = lookerAtPlanes();
    look(0, []);
    look(1, ['host', 'endpoint']);
    expect(idsOf(look(2, ['host', 'endpoint']))).toEqual(['node:c/n7']);
    for (const atS of [3, 4, 5, 6, 7]) expect(idsOf(look(atS, ['endpoint']))).toEqual([]);
    // Rows from before may still tell of it for an interval.
    look(10, ['endpoint']);
    expect(idsOf(look(11, ['endpoint']))).toEqual(['endpoint-plane:c/n7']);
  });

  it('goes on at once under another name if it was a part of what is seen now', () => {
    const look = lookerAtPlanes();
    look(0, []);
    look(1, ['endpoint']);
    expect(idsOf(look(2, ['endpoint']))).toEqual(['endpoint-plane:c/n7']);
    expect(idsOf(look(2.5, ['host', 'endpoint']))).toEqual(['node:c/n7']);
  });

  it('is not that of a node while the cluster around it recovers, but is if the node stays broken', () => {
    const look = looker();
    const all: Which = ({ protocol }) => protocol === 'http';
    const rest = isTo(n(4), 'http');
    look(0, never);
    look(1, all);
    expect(idsOf(look(2, all))).toEqual(['http-filtered:all']);
    // The largest extent of the finding counts, because its paths recover one after the other.
    look(2.5, (path) => all(path) && numberOf(path.to) <= 6);
    for (const atS of [3, 6, 9]) expect(idsOf(look(atS, rest))).toEqual([]);
    // By now all have probed again, and the rest is a fault of its own.
    look(11, rest);
    expect(idsOf(look(12, rest))).toEqual(['http-filtered:c/n4']);
  });

  it('does not begin again because old rows still tell of it', () => {
    const look = looker([n(7)]);
    expect(idsOf(look(0, isTo(n(7))))).toEqual(['node:c/n7']);
    expect(idsOf(look(1, never))).toEqual([]);
    // The rows of four other nodes still report the fault, and the rows of two are stale.
    const lookLater = (atS: number) =>
      idsOf(
        look(atS, (path) => isTo(n(7))(path) && path.from !== n(1), {
          without: [n(6), n(7), n(8)],
        }),
      );
    for (const atS of [3, 4, 6, 10]) expect(lookLater(atS)).toEqual([]);
    expect(lookLater(11)).toHaveLength(1);
  });

  it('ends when this agent is cut off', () => {
    const findings = (openS: number) => {
      const look = watching(8);
      const idsAt = (atS: number, isCutOff: boolean) => {
        const ofServer = failing(isTo(n(5), 'endpoint', 'http'), { ageSeconds: 100 + atS });
        const ofCut = failing((path) => isCutOff && isFrom(n(1))(path), { ageSeconds: 20 });
        const row = isCutOff ? ({ ageMs: 20_000, freshness: 'stale' } as const) : { ageMs: 0 };
        const rows = rowsOf(namesOf(8).slice(1), row);
        return idsOf(look(atS, { says: (path) => ofServer(path) ?? ofCut(path), rows }));
      };
      expect(idsAt(0, false)).toEqual(['endpoint:c/n5']);
      idsAt(openS, false);
      idsAt(openS + 20, true);
      return idsAt(openS + 22, true);
    };
    expect(findings(1)).toEqual(['node:c/n1']);
    expect(findings(20)).toEqual(['node:c/n1']);
  });

  it('has no gap if the same node only gets another kind', () => {
    const look = watching(8);
    const kindsAt = (atS: number, heardMsAgo: number) => {
      const says = failing(isTo(n(7)), { ageSeconds: 20 + atS });
      const rows = heardMsAgo < 20_000 ? { [n(2)]: { row: { heard: [n(7)] } } } : {};
      const input = { heardMsAgo: new Map([[n(7), heardMsAgo]]) };
      const { findings } = look(atS, { says, without: [n(7)], rows, input });
      return findings.map(({ kind }) => kind);
    };
    expect(kindsAt(0, 1000)).toEqual(['node-isolated']);
    expect(kindsAt(1, 60_000)).toEqual(['node-down']);
  });
});
