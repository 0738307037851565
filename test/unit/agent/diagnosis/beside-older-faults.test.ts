import { describe, expect, it } from 'vitest';
import { found, idsOf, n, namesOf, numberOf, rowsOf, watching, type PathOf } from './cluster.js';
import { failing, isAt, isOn, isTo } from './paths.js';

const nodes = 60;
/** Each path is probed by GET once in this time. */
const intervalS = 5;

describe('a tunnel that is cut while ICMP is dropped everywhere since long', () => {
  const cutS = 20;
  const isCut = isAt(n(3), 'endpoint');
  /** When the GETs of a path begin to fail, as verdicts. */
  const failsS = ({ from, to }: PathOf) =>
    cutS + 1.4 + (intervalS * ((numberOf(from) * 7 + numberOf(to)) % nodes)) / nodes;
  const look = watching(nodes);
  const idsAt = new Map<number, string[]>();
  for (let atS = 17; atS <= 29; atS += 0.5) {
    const icmp = failing(isOn('icmp'), { ageSeconds: Math.floor(atS + 1) });
    const saying = (path: PathOf) => {
      const ageSeconds = Math.floor(atS - failsS(path));
      return icmp(path) ?? failing((one) => isCut(one) && ageSeconds >= 0, { ageSeconds })(path);
    };
    const rows = rowsOf(namesOf(nodes), { ageMs: 300, bodyAgeMs: 300 });
    idsAt.set(atS, idsOf(look(atS, { says: saying, rows })));
  }
  const told = [...idsAt].filter(([, ids]) => ids.some((id) => id.includes(n(3))));

  it('is told within seconds', () => {
    expect(told[0]?.[0]).toBeLessThan(cutS + 6);
  });

  it('is told as long as it lasts: that echoes failed long before is no sign that it has ended', () => {
    const [firstS = Infinity] = told[0] ?? [];
    for (const [atS, ids] of idsAt) {
      if (atS >= firstS) expect(ids, `after ${atS} s`).toContain(`endpoint-plane:${n(3)}`);
    }
  });
});

describe('a cut pair of which the row of one end comes only after the repair', () => {
  it('is not told anew by what that end saw before', () => {
    const look = watching(nodes);
    const [beginS, backS, comesS] = [5, 65, 66];
    const isPair = ({ from, to }: PathOf) => from === n(2) && to === n(1);
    const isBack = ({ from, to }: PathOf) => from === n(1) && to === n(2);
    const after = new Set<string>();
    const during = new Set<string>();
    for (let atS = 0; atS < 75; atS += 1) {
      const lasts = atS > beginS && atS < backS;
      // The other end has not looked again since.
      const isOld = atS >= comesS;
      const says = failing((path) => (isBack(path) && lasts) || (isPair(path) && isOld), {
        ageSeconds: Math.floor(atS - beginS),
      });
      const ageMs = isOld ? 1000 * (atS - comesS) + 1500 : 0;
      const rows = { [n(2)]: { ageMs, bodyAgeMs: ageMs } };
      const without = lasts || (atS >= backS && !isOld) ? [n(2)] : [];
      const sweeps = rowsOf(namesOf(nodes), { row: { httpIntervalMs: 50_000 } });
      const ids = idsOf(
        look(atS, {
          says,
          without,
          rows: { ...sweeps, [n(2)]: { ...rows[n(2)], row: { httpIntervalMs: 50_000 } } },
        }),
      ).filter((id) => id.startsWith('pair:'));
      for (const id of ids) (atS < backS ? during : after).add(`${id} at ${String(atS)}`);
    }
    expect(during.size).toBeGreaterThan(10);
    expect([...after]).toEqual([]);
  });
});

describe('filtered echoes of a node whose endpoint has failed with all others for long', () => {
  it('are told though it is not known of all whether its endpoint fails for them too', () => {
    const look = watching(12);
    const beginS = 20;
    const row = { ageMs: 0, bodyAgeMs: 0, row: { httpIntervalMs: 50_000 } };
    const rows = rowsOf(namesOf(12), row);
    const isUnknown = (path: PathOf) =>
      isTo(n(3), 'endpoint', 'http')(path) && numberOf(path.from) > 9;
    const idsAt = (atS: number) => {
      const isEcho = isTo(n(3), 'host', 'icmp');
      const echoes = failing((path) => atS >= beginS && isEcho(path), { ageSeconds: atS - beginS });
      const overlay = failing((path) => isOn('endpoint')(path) && !isUnknown(path), {
        ageSeconds: atS,
      });
      return idsOf(look(atS, { says: (path) => echoes(path) ?? overlay(path), rows }));
    };
    const told = Array.from({ length: beginS + 10 }, (_, atS) => idsAt(atS));
    expect(told[beginS - 1]).toEqual(['endpoint-plane:all']);
    expect(told.at(-1)).toEqual(['endpoint-plane:all', `icmp-filtered:host:${n(3)}`]);
  });
});

describe('a node IP that is cut long before the overlay breaks everywhere', () => {
  it('is told as that, and not as a dead node: its endpoint worked meanwhile', () => {
    const cut = failing(isAt(n(3), 'host'), { ageSeconds: 300 });
    const overlay = failing(isOn('endpoint'), { ageSeconds: 60 });
    const says = (path: PathOf) => cut(path) ?? overlay(path);
    expect(idsOf(found(23, { without: [n(3)], says })).sort()).toEqual([
      'endpoint-plane:all',
      `host-plane:${n(3)}`,
    ]);
  });
});

describe('echoes to a node that are filtered while one of its own paths has just failed', () => {
  it('are told as those alone: what it sends worked when they began to fail', () => {
    const echoes = failing(isTo(n(3), 'host', 'icmp'), { ageSeconds: 180 });
    const own = failing((path) => isTo(n(9), 'endpoint', 'http')(path) && path.from === n(3), {
      ageSeconds: 0,
    });
    const { findings } = found(23, { says: (path) => echoes(path) ?? own(path) });
    expect(findings).toMatchObject([{ id: `icmp-filtered:host:${n(3)}`, direction: 'inbound' }]);
  });
});

describe('two other zones that go off one after the other', () => {
  const zones = namesOf(12).map((name) => 'abbccccbbaaa'[numberOf(name) - 1] ?? '');
  const isOff = (zone: string) => (path: PathOf) =>
    zones[numberOf(path.from) - 1] === 'a' && zones[numberOf(path.to) - 1] === zone;
  const without = namesOf(12).filter((name) => zones[numberOf(name) - 1] !== 'a');
  const idsWith = (ageSeconds: number) => {
    const first = failing(isOff('b'), { ageSeconds: 780 });
    const second = failing(isOff('c'), { ageSeconds });
    return idsOf(found(12, { zones, without, says: (path) => first(path) ?? second(path) })).filter(
      (id) => id.startsWith('zones:'),
    );
  };

  it('are told each since it went off', () => {
    expect(idsWith(60)).toEqual(['zones:a,b', 'zones:a,c']);
  });

  it('are told as one cut around the zone that sees it if they went off at once', () => {
    expect(idsWith(780)).toEqual(['zones:a']);
  });
});

describe('a tunnel between two nodes that is cut long before a zone with most of the others goes off', () => {
  it('is told as that: at endpoints each of the two reached the zone meanwhile', () => {
    const zones = namesOf(9).map((name) => (numberOf(name) < 5 ? 'a' : 'b'));
    const tunnel = failing(
      ({ from, to, plane }) =>
        plane === 'endpoint' && [n(1), n(2)].includes(from) && [n(1), n(2)].includes(to),
      { ageSeconds: 600 },
    );
    const isZone = ({ from, to }: PathOf) => numberOf(from) < 5 && numberOf(to) > 4;
    const zone = failing(isZone, { ageSeconds: 240 });
    const without = namesOf(9).slice(4);
    const says = (path: PathOf) => tunnel(path) ?? zone(path);
    expect(idsOf(found(9, { zones, without, says })).slice(0, 2)).toEqual([
      'zones:a,b',
      `pair:${n(1)},${n(2)}`,
    ]);
  });
});

describe('a node that dies some seconds after ICMP was dropped everywhere', () => {
  it('is not said to live: who has not seen it die heard it before', () => {
    const names = namesOf(10);
    const isLate = (name: string) => numberOf(name) > 6;
    const echoes = failing(isOn('icmp'), { ageSeconds: 7 });
    const gets = failing((path) => isTo(n(3), 'http')(path) && !isLate(path.from), {
      ageSeconds: 3,
    });
    const rows = rowsOf(names.filter(isLate), {
      ageMs: 500,
      bodyAgeMs: 500,
      row: { heard: [n(3)] },
    });
    const says = (path: PathOf) => echoes(path) ?? gets(path);
    const { findings } = found(10, { says, rows, without: [n(3)] });
    expect(
      findings.map(({ kind, text }) => ({ kind, lives: text.includes('it reaches') })),
    ).toEqual([
      { kind: 'icmp-filtered', lives: false },
      { kind: 'agent-down', lives: false },
    ]);
  });
});

describe('filtered echoes of a node while the overlay breaks', () => {
  const beginS = 20;
  const isEcho = isTo(n(3), 'host', 'icmp');
  const isEndpointEcho = isTo(n(3), 'endpoint', 'icmp');
  /** The echoes to this node fail first on both planes, and two seconds later everything does at endpoints. */
  const idsAt = (look: ReturnType<typeof watching>, atS: number) => {
    const since = (fromS: number, is: (path: PathOf) => boolean) =>
      failing((path) => atS >= fromS && is(path), { ageSeconds: atS - fromS });
    const echoes = since(beginS, (path) => isEcho(path) || isEndpointEcho(path));
    const overlay = since(beginS + 2, isOn('endpoint'));
    return idsOf(
      look(atS, {
        says: (path) => echoes(path) ?? overlay(path),
        rows: rowsOf(namesOf(60), { ageMs: 300, bodyAgeMs: 300 }),
      }),
    );
  };

  it('are those at the node IP: that both failed before says no more once the overlay explains one', () => {
    const look = watching(60);
    for (let atS = beginS - 2; atS < beginS + 15; atS += 1) idsAt(look, atS);
    expect(idsAt(look, beginS + 15)).toEqual(['endpoint-plane:all', `icmp-filtered:host:${n(3)}`]);
  });
});

describe('an agent that is gone beside nodes that send nothing', () => {
  const [goneS, gone] = [20, n(3)];
  const sendNothing = [n(2), n(4), n(8), n(9), n(11)];
  const isRefused = isTo(gone, 'host', 'http');
  const look = watching(12);
  const toldAt = (atS: number) => {
    const says = (path: PathOf) => {
      if (sendNothing.includes(path.from)) return failing(() => true, { ageSeconds: 60 })(path);
      const ageSeconds = atS - goneS - 0.2 * numberOf(path.from);
      const refusing = { ageSeconds, failure: 'refused' } as const;
      return failing((one) => isRefused(one) && ageSeconds >= 0, refusing)(path);
    };
    const rows = rowsOf(namesOf(12), { ageMs: 0, bodyAgeMs: 0 });
    const { findings } = look(atS, { says, rows, without: atS >= goneS ? [gone] : [] });
    return findings.flatMap(({ id, text }) => (id.includes(gone) ? [text] : []));
  };

  it('is told no sooner than one beside well nodes, and by those that are refused', () => {
    // Until then it may be restarting.
    for (let atS = 10; atS <= goneS + 5; atS += 0.5) expect(toldAt(atS), `${atS} s`).toEqual([]);
    for (let atS = goneS + 5.5; atS <= goneS + 8; atS += 0.5) toldAt(atS);
    expect(toldAt(goneS + 8.5)).toEqual([expect.stringContaining('connection refused')]);
  });
});

it('an agent that restarts is not told for what a row of before says of a node that is repaired', () => {
  const [cut, restarted] = [n(11), n(3)];
  const [cutS, repairedS, goneS] = [8, 36, 40];
  const isCut = isAt(cut, 'host');
  const look = watching(12);
  const told = new Set<string>();
  for (let atS = 5; atS <= 46; atS += 0.5) {
    // The node that was cut has not sent a row since.
    const confirmedS = (name: string) => (name === cut ? Math.min(atS, repairedS - 0.5) : atS);
    const says = (path: PathOf) => {
      const rowS = confirmedS(path.from);
      const ageSeconds = rowS - cutS - 1.4;
      const isFailing = ageSeconds >= 0 && rowS < repairedS;
      const refusedS = rowS - goneS - 0.2 * numberOf(path.from);
      const refusing = { ageSeconds: refusedS, failure: 'refused' } as const;
      return (
        failing((one) => isFailing && isCut(one), { ageSeconds })(path) ??
        failing((one) => refusedS >= 0 && isTo(restarted, 'host', 'http')(one), refusing)(path)
      );
    };
    const rows = rowsOf(namesOf(12), (name) => {
      const ageMs = 1000 * (atS - confirmedS(name));
      return { ageMs, bodyAgeMs: ageMs, row: { heard: [restarted] } };
    });
    const input = { heardMsAgo: new Map(namesOf(12).map((name) => [name, 200])) };
    for (const id of idsOf(look(atS, { says, rows, input }))) told.add(id);
  }
  expect([...told]).toEqual([`host-plane:${cut}`]);
});
