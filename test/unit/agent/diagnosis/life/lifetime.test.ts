import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { clusterOf, n, start, type PathOf, type Saying } from '../cluster.js';

/**
 * An agent that diagnoses a cluster of 8 nodes every half second. The endpoint of node 7 fails at
 * times.
 */
function agent() {
  let previous: DiagnosisOutput | undefined;
  let nowMs = 0;
  return {
    /**
     * Runs the diagnosis up to this second. The paths fail since `failsSinceS`, or work if it is
     * undefined.
     */
    until: (seconds: number, failsSinceS?: number): DiagnosisOutput => {
      for (; nowMs <= seconds * 1000; nowMs += 500) {
        const ageSeconds = nowMs / 1000 - (failsSinceS ?? 0);
        const input = clusterOf(8, {
          says: ({ to, plane }) =>
            failsSinceS !== undefined && to === n(7) && plane === 'endpoint'
              ? { state: 'unreachable', ageSeconds, failure: 'timeout' }
              : undefined,
          rows: Object.fromEntries(
            [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [n(number), { ageMs: 0 }]),
          ),
          input: { now: start + nowMs, previous },
        });
        previous = diagnose(input);
      }
      const nothing = {
        findings: [],
        unexplained: 0,
        unexplainedTargets: 0,
        notKnown: [],
        doubted: [],
        opensInMs: undefined,
        wantsRows: false,
        outdated: [],
      };
      const [shadows, silences] = [new Map(), new Map()];
      const stray = { atMs: 0, strayMs: 0, watchedMs: 0 };
      return previous ?? { ...nothing, memory: new Map(), shadows, silences, past: [], stray };
    },
  };
}

/** Looks at a cluster of eight in which others cannot reach the planes of n7, one look after the other. */
function looker({ hasText = false } = {}) {
  let previous: DiagnosisOutput | undefined;
  return (atS: number, planes: readonly string[]) => {
    const input = clusterOf(8, {
      says: ({ to, plane }) =>
        to === n(7) && planes.includes(plane)
          ? { state: 'unreachable', ageSeconds: 100 + atS, failure: 'timeout' }
          : undefined,
      rows: Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((i) => [n(i), { ageMs: 0 }])),
      input: { now: start + atS * 1000, previous },
    });
    previous = diagnose(input);
    return previous.findings.map(({ id, text }) => (hasText ? text : id));
  };
}

const timeOf = (seconds: number) => new Date(start + seconds * 1000).toISOString();

describe('a node or agent that was silent and is heard again', () => {
  /** The finding about node 7, whose paths fail since 0 s, and of which GETs arrive again since `heardS`. */
  function told(...args: Parameters<typeof last>) {
    return last(...args)?.findings.map(({ kind, text }) => [kind, text]);
  }
  function last(untilS: number, heardS: number, fails: (path: PathOf) => boolean = () => true) {
    let previous: DiagnosisOutput | undefined;
    for (let atS = 0; atS <= untilS; atS += 0.5) {
      const isHeard = atS >= heardS;
      const input = clusterOf(8, {
        says: (path) =>
          path.to === n(7) && fails(path)
            ? { state: 'unreachable', ageSeconds: 10 + atS, failure: 'timeout' }
            : undefined,
        without: [n(7)],
        ...(isHeard && { rows: { [n(2)]: { row: { heard: [n(7)] } } } }),
        input: {
          now: start + atS * 1000,
          previous,
          ...(isHeard && { heardMsAgo: new Map([[n(7), 500]]) }),
        },
      });
      previous = diagnose(input);
    }
    return previous;
  }
  const isAgent = ({ plane, protocol }: PathOf) => plane === 'host' && protocol === 'http';

  it('is told no more, as its paths are not probed again yet', () => {
    const text = 'none of 7 nodes can reach c/n7 (10.0.0.7) at all, ';
    const silent = [['node-down', `${text}and nothing has been heard from it since`]];
    expect(told(9.5, 10)).toEqual(silent);
    expect(told(10, 10)).toEqual([]);
    expect(told(11, 10)).toEqual([]);
  });

  it('leaves paths unexplained until rows tell of now', () => {
    expect(last(9.5, 10)?.unexplained).toBe(0);
    expect(last(11, 10)?.unexplained).toBeGreaterThan(0);
  });

  it('is told as isolated at once if it was told as dead only just before', () => {
    expect(told(2.5, 3)).toMatchObject([['node-down', expect.any(String) as string]]);
    expect(told(3, 3)).toMatchObject([['node-isolated', expect.any(String) as string]]);
  });

  it('is told as isolated if its paths go on failing', () => {
    expect(told(15.5, 10)).toMatchObject([['node-isolated', expect.any(String) as string]]);
  });

  it('is told as an agent that is down, and then as a filtered port', () => {
    const text =
      'none of 7 nodes can reach the agent of c/n7 (10.0.0.7:4240); the host itself answers ping';
    expect(told(9.5, 10, isAgent)).toEqual([['agent-down', text]]);
    expect(told(11, 10, isAgent)).toEqual([]);
    expect(told(17, 10, isAgent)).toMatchObject([['http-filtered', expect.any(String) as string]]);
  });
});

describe('the life of a finding', () => {
  it('begins when its cause has lasted long enough, and has the time when the cause began', () => {
    const { until } = agent();
    expect(until(10).findings).toEqual([]);
    expect(until(11.5, 10).findings).toEqual([]);
    expect(until(16, 10).findings).toMatchObject([
      { id: 'endpoint-plane:c/n7', since: timeOf(10) },
    ]);
  });

  it('has not come and gone where its paths failed all the time and others with them', () => {
    const look = looker({ hasText: true });
    const texts = Array.from({ length: 200 }, (_, at) =>
      look(at / 2, at % 60 < 30 ? ['endpoint'] : ['endpoint', 'host']),
    );
    const [first, last] = [texts[20], texts[140]];
    expect(first).toEqual([expect.stringContaining('endpoint of c/n7') as string]);
    expect(texts[50]).toEqual([expect.stringContaining('at all') as string]);
    expect(last).toEqual(first);
  });

  it('keeps its id and since while it lasts, and ends when its paths work again', () => {
    const { until } = agent();
    until(20, 10);
    // The paths fail again after a success, but the finding is the same.
    expect(until(40, 30).findings).toMatchObject([
      { id: 'endpoint-plane:c/n7', since: timeOf(10) },
    ]);
    const { findings, unexplained } = until(41);
    expect(findings).toEqual([]);
    expect(unexplained).toBe(0);
  });

  it('keeps its first time if it comes and goes, and says so', () => {
    const { until } = agent();
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

  it('does not end while its observers are starved, but ends a minute later', () => {
    let previous: DiagnosisOutput | undefined;
    const look = (atS: number, starved: boolean) => {
      const input = clusterOf(8, {
        says: ({ to }) => (to === n(7) ? { state: 'unreachable', ageSeconds: 100 } : undefined),
        rows: Object.fromEntries(
          [1, 2, 3, 4, 5, 6, 8].map((i) => [
            n(i),
            { ageMs: 0, row: { health: { ready: true, starved, notSending: [] } } },
          ]),
        ),
        without: [n(7)],
        input: { now: start + atS * 1000, previous },
      });
      previous = diagnose(input);
      return previous.findings.map(({ id }) => id).filter((id) => !id.startsWith('observers'));
    };
    expect(look(0, false)).toEqual(['node:c/n7']);
    expect(look(1, true)).toEqual(['node:c/n7']);
    expect(look(59, true)).toEqual(['node:c/n7']);
    expect(look(61, true)).toEqual([]);
  });

  it('does not end when one of two witnesses falls silent, but when both report that all is well', () => {
    let previous: DiagnosisOutput | undefined;
    const pair = [n(4), n(5)];
    const look = (atS: number, fails: boolean, rowOfOne: object) => {
      const input = clusterOf(8, {
        says: ({ from, to }) =>
          fails && pair.includes(from) && pair.includes(to)
            ? { state: 'unreachable', ageSeconds: 10 + atS }
            : undefined,
        rows: { [n(4)]: rowOfOne },
        input: { now: start + atS * 1000, previous },
      });
      previous = diagnose(input);
      return previous.findings.map(({ id }) => id);
    };
    const starved = { row: { health: { ready: true, starved: true, notSending: [] } } };
    expect(look(0, true, {})).toEqual(['pair:c/n4,c/n5']);
    expect(look(1, true, starved)).toEqual(['pair:c/n4,c/n5']);
    expect(look(2, true, { ageMs: 13_000, freshness: 'stale' })).toEqual(['pair:c/n4,c/n5']);
    expect(look(3, false, {})).toEqual([]);
  });

  it('ends when the others report success while the own agent is starved', () => {
    const says = ({ to }: { readonly to: string }) =>
      to === n(7) ? { state: 'unreachable' as const, ageSeconds: 100 } : undefined;
    const previous = diagnose(clusterOf(8, { says, without: [n(7)] }));
    expect(previous.findings).toHaveLength(1);
    const starved = { row: { health: { ready: true, starved: true, notSending: [] } } };
    const input = { now: start + 1000, previous };
    expect(diagnose(clusterOf(8, { rows: { [n(1)]: starved }, input })).findings).toEqual([]);
  });

  it('is forgotten some minutes after it has ended', () => {
    const { until } = agent();
    until(20, 10);
    expect(until(30).memory.size).toBe(1);
    expect(until(700).memory.size).toBe(0);
  });

  it('does not begin again from the paths that recover last', () => {
    let previous: DiagnosisOutput | undefined;
    const look = (atS: number, protocols: readonly string[]) => {
      const input = clusterOf(8, {
        says: ({ to, protocol }) =>
          to === n(7) && protocols.includes(protocol)
            ? { state: 'unreachable', ageSeconds: 100 + atS, failure: 'timeout' }
            : undefined,
        rows: Object.fromEntries([1, 2, 3, 4, 5, 6, 8].map((i) => [n(i), { ageMs: 0 }])),
        without: [n(7)],
        input: { now: start + atS * 1000, previous },
      });
      previous = diagnose(input);
      return previous.findings.map(({ kind }) => kind);
    };
    look(0, []);
    look(1, ['icmp', 'http']);
    expect(look(2, ['icmp', 'http'])).toEqual(['node-down']);
    // ICMP recovers first, which must not open a finding about HTTP.
    expect(look(3, ['http'])).toEqual([]);
    expect(look(4, ['http'])).toEqual([]);
    expect(look(5, [])).toEqual([]);
  });

  describe('of what a node sends, which its row alone tells, does not begin again', () => {
    /** What is found in forty seconds of a cluster of which one node cannot send for the first thirty. */
    function findingsOf(
      count: number,
      sender: string,
      failsAfter: (atS: number, path: PathOf) => boolean,
    ) {
      const rows = Object.fromEntries(
        Array.from({ length: count }, (_, at) => [n(at + 1), { ageMs: 0 }]),
      );
      let previous: DiagnosisOutput | undefined;
      const ids = new Set<string>();
      for (let atS = 0; atS <= 40; atS += 0.5) {
        const says = (path: PathOf): Saying =>
          path.from === sender && (atS < 30 || failsAfter(atS, path))
            ? { state: 'unreachable', ageSeconds: atS, failure: 'timeout' }
            : undefined;
        const input = { now: start + atS * 1000, previous };
        previous = diagnose(clusterOf(count, { says, rows, input }));
        for (const { id } of previous.findings) ids.add(id);
      }
      return { ids: [...ids], atTheEnd: previous?.findings };
    }

    it('channel by channel', () => {
      const { ids, atTheEnd } = findingsOf(
        8,
        n(7),
        (atS, { plane, protocol }) => atS < 34 && (protocol === 'http' || plane === 'endpoint'),
      );
      expect(ids).toEqual(['node:c/n7']);
      expect(atTheEnd).toEqual([]);
    });

    it('on a channel that the last run no longer told of', () => {
      const leftOf = ({ plane, protocol }: PathOf) =>
        plane === 'endpoint' && protocol === 'http' ? 9 : 5;
      const { ids, atTheEnd } = findingsOf(
        11,
        n(11),
        (atS, path) => atS < 34 && Number(path.to.slice(3)) <= leftOf(path),
      );
      expect(ids).toEqual(['node:c/n11']);
      expect(atTheEnd).toEqual([]);
    });
  });

  it('has to stand where the agent has just started, as rows may be from before a repair', () => {
    const look = (atS: number, uptimeMs: number, previous?: DiagnosisOutput) =>
      diagnose(
        clusterOf(8, {
          says: ({ to, plane }) =>
            to === n(7) && plane === 'endpoint'
              ? { state: 'unreachable', ageSeconds: 100 + atS, failure: 'timeout' }
              : undefined,
          rows: Object.fromEntries([1, 2, 3, 4, 5, 6, 8].map((i) => [n(i), { ageMs: 0 }])),
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
    const look = looker();
    look(0, []);
    look(1, ['host', 'endpoint']);
    expect(look(2, ['host', 'endpoint'])).toEqual(['node:c/n7']);
    for (const atS of [3, 4, 5, 6, 7]) expect(look(atS, ['endpoint'])).toEqual([]);
    // Rows from before may still tell of it for an interval.
    look(10, ['endpoint']);
    expect(look(11, ['endpoint'])).toEqual(['endpoint-plane:c/n7']);
  });

  it('goes on at once under another name if it was a part of what is seen now', () => {
    const look = looker();
    look(0, []);
    look(1, ['endpoint']);
    expect(look(2, ['endpoint'])).toEqual(['endpoint-plane:c/n7']);
    expect(look(2.5, ['host', 'endpoint'])).toEqual(['node:c/n7']);
  });

  it('is not that of a node while the cluster around it recovers, but is if the node stays broken', () => {
    let previous: DiagnosisOutput | undefined;
    const look = (atS: number, isFailing: (to: string) => boolean) => {
      const input = clusterOf(8, {
        says: ({ to, protocol }) =>
          protocol === 'http' && isFailing(to)
            ? { state: 'unreachable', ageSeconds: 100 + atS, failure: 'timeout' }
            : undefined,
        rows: Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((i) => [n(i), { ageMs: 0 }])),
        input: { now: start + atS * 1000, previous },
      });
      previous = diagnose(input);
      return previous.findings.map(({ id }) => id);
    };
    look(0, () => false);
    look(1, () => true);
    expect(look(2, () => true)).toEqual(['http-filtered:all']);
    // The largest extent of the finding counts, because its paths recover one after the other.
    look(2.5, (to) => [1, 2, 3, 4, 5, 6].map(n).includes(to));
    for (const atS of [3, 6, 9]) expect(look(atS, (to) => to === n(4))).toEqual([]);
    // By now all have probed again, and the rest is a fault of its own.
    look(11, (to) => to === n(4));
    expect(look(12, (to) => to === n(4))).toEqual(['http-filtered:c/n4']);
  });

  it('does not begin again because old rows still tell of it', () => {
    let previous: DiagnosisOutput | undefined;
    const look = (atS: number, isFailing: (from: string) => boolean) => {
      const input = clusterOf(8, {
        says: ({ from, to }) =>
          to === n(7) && isFailing(from)
            ? { state: 'unreachable', ageSeconds: 100 + atS, failure: 'timeout' }
            : undefined,
        rows: Object.fromEntries([1, 2, 3, 4, 5, 6, 8].map((i) => [n(i), { ageMs: 0 }])),
        without: atS < 3 ? [n(7)] : [n(6), n(7), n(8)],
        input: { now: start + atS * 1000, previous },
      });
      previous = diagnose(input);
      return previous.findings.map(({ id }) => id);
    };
    expect(look(0, () => true)).toEqual(['node:c/n7']);
    expect(look(1, () => false)).toEqual([]);
    // The rows of four other nodes still report the fault, and the rows of two are stale.
    for (const atS of [3, 4, 6, 10]) expect(look(atS, (from) => from !== n(1))).toEqual([]);
    expect(look(11, (from) => from !== n(1))).toHaveLength(1);
  });

  it('ends when this agent is cut off, unless it is older than that', () => {
    const findings = (openS: number) => {
      let previous: DiagnosisOutput | undefined;
      const look = (atS: number, isCutOff: boolean) => {
        const others = [2, 3, 4, 5, 6, 7, 8].map(n);
        const input = clusterOf(8, {
          says: ({ from, to, plane, protocol }) => {
            if (to === n(5) && plane === 'endpoint' && protocol === 'http')
              return { state: 'unreachable', ageSeconds: 100 + atS, failure: 'timeout' };
            return isCutOff && from === n(1)
              ? { state: 'unreachable', ageSeconds: 20, failure: 'timeout' }
              : undefined;
          },
          rows: Object.fromEntries(
            others.map((name) => [
              name,
              isCutOff ? { ageMs: 20_000, freshness: 'stale' as const } : { ageMs: 0 },
            ]),
          ),
          input: { now: start + atS * 1000, previous },
        });
        previous = diagnose(input);
        return previous.findings.map(({ id }) => id);
      };
      expect(look(0, false)).toEqual(['endpoint:c/n5']);
      look(openS, false);
      look(openS + 20, true);
      return look(openS + 22, true);
    };
    expect(findings(1)).toEqual(['node:c/n1']);
    expect(findings(20)).toEqual(['node:c/n1', 'endpoint:c/n5']);
  });

  it('has no gap if the same node only gets another kind', () => {
    let previous: DiagnosisOutput | undefined;
    const look = (atS: number, heardMsAgo: number) => {
      const input = clusterOf(8, {
        says: ({ to }) =>
          to === n(7)
            ? { state: 'unreachable', ageSeconds: 20 + atS, failure: 'timeout' }
            : undefined,
        without: [n(7)],
        rows: heardMsAgo < 20_000 ? { [n(2)]: { row: { heard: [n(7)] } } } : {},
        input: {
          now: start + atS * 1000,
          previous,
          heardMsAgo: new Map([[n(7), heardMsAgo]]),
        },
      });
      previous = diagnose(input);
      return previous.findings.map(({ kind }) => kind);
    };
    expect(look(0, 1000)).toEqual(['node-isolated']);
    expect(look(1, 60_000)).toEqual(['node-down']);
  });
});
