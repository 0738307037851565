import { describe, expect, test } from 'vitest';
import {
  n,
  namesOf,
  numberOf,
  rowsOf,
  watching,
  type ClusterOptions,
  type PathOf,
} from './cluster.js';
import { failing, isAt, isBetween, isFrom, isTo } from './paths.js';

const size = 20;
const node = n(7);

/** What an agent says some time after a node has got one fault after another, of which each is over when the next begins. */
function told(
  faults: readonly { readonly fromS: number; readonly hits: (path: PathOf) => boolean }[],
) {
  const look = watching(size);
  const lastS = 10 + Math.max(...faults.map(({ fromS }) => fromS));
  const says = (atS: number) => (path: PathOf) => {
    // A path has failed since the first of the faults that hit it without a gap.
    let sinceS: number | undefined;
    for (const [at, { fromS, hits }] of faults.entries()) {
      const untilS = faults[at + 1]?.fromS ?? Infinity;
      if (fromS > atS) break;
      sinceS = hits(path) ? (sinceS ?? fromS) : undefined;
      if (atS < untilS) break;
    }
    return sinceS === undefined
      ? undefined
      : failing(() => true, { ageSeconds: atS - sinceS })(path);
  };
  let last: ReturnType<typeof look> | undefined;
  for (let atS = 0; atS <= lastS; atS += 0.5) last = look(atS, { says: says(atS) });
  return last?.findings.map(({ kind, direction }) => [kind, direction].join(' ').trim());
}

const tunnel = isAt(node, 'endpoint');
const probePort = isTo(node, 'http');
const requestsTo = isTo(node);
const requestsOf = isFrom(node);
const hostPlane = isAt(node, 'host');
const echoes = isAt(node, 'icmp');
const endpointServer = isTo(node, 'endpoint', 'http');

describe('a fault that becomes another one has one finding, though some paths failed before', () => {
  test.each([
    ['a tunnel that is cut, a filtered port', tunnel, probePort, ['http-filtered inbound']],
    [
      'a node IP that is cut, filtered requests of the node',
      hostPlane,
      requestsOf,
      ['node-isolated outbound'],
    ],
    [
      'filtered echoes, filtered requests to the node',
      echoes,
      requestsTo,
      ['node-isolated inbound'],
    ],
    ['filtered echoes, a node IP that is cut', echoes, hostPlane, ['host-plane both']],
    ['a server that hangs, a tunnel that is cut', endpointServer, tunnel, ['endpoint-plane both']],
  ] as const)('%s', (_, first, second, kinds) => {
    expect(
      told([
        { fromS: 0, hits: first },
        { fromS: 25, hits: second },
      ]),
    ).toEqual(kinds);
  });
});

test('a node that nobody reaches all the while has not come and gone where its GETs come now and then', () => {
  const look = watching(size);
  const texts: string[] = [];
  for (let atS = 0; atS <= 110; atS += 0.5) {
    const isSilent = atS % 40 < 20;
    const silentS = isSilent ? atS % 40 : 0.5;
    const { findings } = look(atS, {
      says: failing(requestsTo, { ageSeconds: atS }),
      without: isSilent ? [node] : [],
      input: { heardMsAgo: new Map([[node, 1000 * silentS]]) },
    });
    texts.push(findings.map(({ text }) => text).join());
  }
  expect(texts.filter((text) => text.includes('come and gone'))).toEqual([]);
  expect(texts.at(-1)).toContain('c/n7');
});

test('a node that could not send and dies is told all the while, though its last row still counts', () => {
  const look = watching(size);
  const diesS = 25;
  const told = new Set<number>();
  for (let atS = 0; atS <= 40; atS += 0.5) {
    const deadS = Math.max(atS - diesS, 0);
    /** One observer after the other finds that it does not reach the node. */
    const failsS = ({ from }: PathOf) => deadS - Number(from.slice('c/n'.length)) / 10;
    const says = (path: PathOf) =>
      requestsOf(path)
        ? failing(requestsOf, { ageSeconds: atS - deadS })(path)
        : failing((one) => requestsTo(one) && failsS(one) > 1.5, { ageSeconds: failsS(path) })(
            path,
          );
    const isFresh = deadS < 11;
    const { findings } = look(atS, {
      says,
      without: isFresh ? [] : [node],
      rows: { [node]: { ageMs: 1000 * deadS + 500, bodyAgeMs: 1000 * deadS + 500 } },
      input: { heardMsAgo: new Map([[node, 1000 * deadS + 500]]) },
    });
    if (atS >= 10) told.add(findings.length);
  }
  expect([...told]).toEqual([1]);
});

/** The kinds that are told at some time, given what rows tell so many seconds from the start. */
function kindsFrom(
  fromS: number,
  untilS: number,
  optionsAt: (atS: number) => ClusterOptions,
): string[] {
  const look = watching(size);
  const kinds = new Set<string>();
  for (let atS = 0; atS <= untilS; atS += 0.5) {
    const { findings } = look(atS, optionsAt(atS));
    if (atS >= fromS) for (const { kind } of findings) kinds.add(kind);
  }
  return [...kinds];
}

test('an agent that is gone, and a node IP that is cut, is one cut plane, as nothing is refused any more', () => {
  const cutS = 25;
  const kinds = kindsFrom(cutS, 40, (atS) => ({
    without: [node],
    says: (path) => {
      const cutForS = atS - cutS - numberOf(path.from) / 10;
      const isCut = cutForS > 1.5;
      const server = failing(isTo(node, 'host', 'http'), {
        ageSeconds: atS,
        failure: isCut ? 'timeout' : 'refused',
      })(path);
      const plane = failing(hostPlane, { ageSeconds: cutForS, failure: 'timeout' })(path);
      return server ?? (isCut ? plane : undefined);
    },
  }));
  expect(kinds).toEqual(['agent-down', 'host-plane']);
});

test('a node whose port is filtered, and that dies, is not told as filtered by ICMP before', () => {
  const diesS = 25;
  const others = namesOf(size).filter((name) => name !== node);
  const kinds = kindsFrom(diesS, 45, (atS) => {
    const deadS = atS - diesS;
    const seesEnd = (name: string) => deadS > 1.5 + numberOf(name) / 5;
    return {
      without: [node],
      says: (path) =>
        seesEnd(path.from) && requestsTo(path) && path.protocol === 'icmp'
          ? failing(requestsTo, { ageSeconds: deadS - 1.5 })(path)
          : failing(probePort, { ageSeconds: atS })(path),
      // Who sees that echoes fail has heard nothing since.
      rows: rowsOf(others, (name) => (seesEnd(name) ? {} : { row: { heard: [node] } })),
      input: { heardMsAgo: new Map([[node, 1000 * (Math.max(deadS, 0) + 0.5)]]) },
    };
  });
  expect(kinds).toEqual(['http-filtered', 'node-down']);
});

test('an agent that hangs, after nothing reached its node, is not told as filtered because it was heard before', () => {
  const hangsS = 25;
  const others = namesOf(size).filter((name) => name !== node);
  const kinds = kindsFrom(hangsS, 60, (atS) => {
    const hungS = Math.max(atS - hangsS, 0);
    const isBack = hungS > 2;
    return {
      without: [node],
      says: failing(isBack ? isTo(node, 'host', 'http') : requestsTo, { ageSeconds: atS }),
      rows: rowsOf(others, () => (hungS < 10 ? { row: { heard: [node] } } : {})),
      input: { heardMsAgo: new Map([[node, 1000 * (hungS + 0.5)]]) },
    };
  });
  expect(kinds).toEqual(['node-isolated', 'agent-down']);
});

test('a filtered port of a node of which a cut pair is joined again is not waited for: that cause was not of the node', () => {
  const filteredS = 25;
  const joinedS = filteredS + 1;
  const pair = isBetween(node, n(3));
  const kinds = kindsFrom(filteredS + 6, filteredS + 8, (atS) => {
    const port = failing((path) => atS >= filteredS && probePort(path), {
      ageSeconds: atS - filteredS,
    });
    const cut = failing((path) => atS < joinedS && pair(path), { ageSeconds: atS });
    return {
      says: (path) => cut(path) ?? port(path),
      rows: rowsOf(namesOf(size), { ageMs: 0, bodyAgeMs: 0 }),
      input: { heardMsAgo: new Map([[node, 1000 * Math.max(atS - filteredS + 0.5, 0.5)]]) },
    };
  });
  expect(kinds).toEqual(['http-filtered']);
});

test('a node IP that was cut and is reached no more otherwise is one isolated node once its GETs come', () => {
  const changesS = 30;
  const others = namesOf(size).filter((name) => name !== node);
  const kinds = kindsFrom(changesS + 8, changesS + 12, (atS) => {
    const isBack = atS >= changesS;
    const cut = failing(hostPlane, { ageSeconds: atS });
    const overlay = (path: PathOf) => {
      const ageSeconds = atS - changesS - 1.5 - numberOf(path.from) / 5;
      return failing((one) => ageSeconds >= 0 && isTo(node, 'endpoint')(one), { ageSeconds })(path);
    };
    return {
      without: [node],
      says: (path) => cut(path) ?? overlay(path),
      rows: rowsOf(others, () => (isBack ? { row: { heard: [node] } } : {})),
      input: { heardMsAgo: new Map([[node, isBack ? 500 : 1000 * atS + 500]]) },
    };
  });
  expect(kinds).toEqual(['node-isolated']);
});

test('an agent that has just started tells one cause where some of it has failed for longer than it runs', () => {
  const [changesS, startsS] = [25, 23];
  const kinds = kindsFrom(startsS + 10, startsS + 20, (atS) => {
    const server = failing(isTo(node, 'host', 'http'), { ageSeconds: atS });
    const other = failing((path) => atS > changesS && endpointServer(path), {
      ageSeconds: atS - changesS,
    });
    return {
      says: (path) => server(path) ?? other(path),
      input: { uptimeMs: 1000 * (atS - startsS), ...(atS < startsS && { previous: undefined }) },
    };
  });
  expect(kinds).toEqual(['http-filtered']);
});

test('a node whose port is filtered, and that dies, is dead though the row of one who heard it before still counts', () => {
  const diesS = 25;
  const old = n(3);
  const others = namesOf(size).filter((name) => name !== node && name !== old);
  const kinds = kindsFrom(diesS + 9, diesS + 20, (atS) => {
    const port = (path: PathOf) =>
      failing(probePort, { ageSeconds: path.from === old ? 0 : atS })(path);
    const echoes = failing((path) => atS > diesS && path.from !== old && isTo(node, 'icmp')(path), {
      ageSeconds: atS - diesS,
    });
    return {
      without: [node],
      says: (path) => port(path) ?? echoes(path),
      rows: {
        ...rowsOf(others, () => (atS < diesS ? { row: { heard: [node] } } : {})),
        [old]: { ageMs: 2000, bodyAgeMs: 1000 * atS, row: { heard: [node] } },
      },
      input: { heardMsAgo: new Map([[node, 1000 * Math.max(atS - diesS, 0) + 500]]) },
    };
  });
  expect(kinds).toEqual(['node-down']);
});

test('a node that cannot send has one finding, though its agent hung since before its echoes passed again', () => {
  const [hangsS, sendsS] = [25, 60];
  const kinds = kindsFrom(sendsS + 5, sendsS + 12, (atS) => {
    const isHung = atS >= hangsS && atS < sendsS;
    const dropped = failing((path) => atS < hangsS && echoes(path), { ageSeconds: atS });
    const server = failing((path) => isHung && isTo(node, 'host', 'http')(path), {
      ageSeconds: atS - hangsS,
    });
    // What it saw of its echoes before, it has not looked at again.
    const sent = (path: PathOf) =>
      failing((one) => atS >= sendsS + 2 && requestsOf(one), {
        ageSeconds: path.protocol === 'icmp' ? atS : atS - sendsS - 2,
      })(path);
    return {
      without: isHung ? [node] : [],
      says: (path) => dropped(path) ?? server(path) ?? sent(path),
      input: { heardMsAgo: new Map([[node, isHung ? 1000 * (atS - hangsS) + 500 : 500]]) },
    };
  });
  expect(kinds).toEqual(['node-isolated']);
});

test('a node whose echoes pass at its endpoint again does not keep from sending, though its last row is from before', () => {
  const cutS = 25;
  const [look, node] = [watching(6), n(4)];
  const told = new Set<string>();
  for (let atS = 0; atS <= cutS + 8; atS += 0.5) {
    const agoS = Math.max(atS - cutS, 0);
    const passes = agoS >= 1 ? isTo(node, 'endpoint') : () => false;
    const dropped = failing((path) => isTo(node, 'icmp')(path) && !passes(path), {
      ageSeconds: atS,
    });
    const sent = failing(isFrom(node, 'icmp'), { ageSeconds: atS - agoS });
    const ageMs = 1000 * agoS + 500;
    const { findings } = look(atS, {
      says: (path) => dropped(path) ?? sent(path),
      rows: { [node]: { ageMs, bodyAgeMs: ageMs } },
      input: { heardMsAgo: new Map([[node, ageMs]]) },
    });
    if (agoS >= 2) for (const { id, direction } of findings) told.add(`${id} ${direction ?? ''}`);
  }
  expect([...told]).toEqual([`icmp-filtered:host:${node} `]);
});

test('a cause at a node that has no agent is forgotten some minutes after its end', () => {
  const look = watching(size);
  const pastAt = (atS: number) =>
    look(atS, {
      without: [node],
      says: failing((path) => atS < 60 && endpointServer(path), { ageSeconds: atS }),
    }).past.length;
  const lengths = Array.from({ length: 160 }, (_, at) => pastAt(5 * at));
  expect(Math.max(...lengths)).toBe(1);
  expect(lengths.at(-1)).toBe(0);
});

test('a node IP of a large cluster is not told as cut once its echoes pass in the first new rows, though its port fails on', () => {
  // A sweep takes long there, but hints bring looks at once.
  const row = { httpIntervalMs: 50_000 };
  const nodes = 60;
  const look = watching(nodes);
  const changesS = 25;
  const isNew = (name: string) => numberOf(name) % 20 === 1;
  let kinds: string[] = [];
  for (let atS = 0; atS <= changesS + 5; atS += 0.5) {
    const passes = ({ from, protocol }: PathOf) =>
      atS >= changesS && isNew(from) && protocol === 'icmp';
    const says = failing((path) => isTo(node, 'host')(path) && !passes(path), { ageSeconds: atS });
    const oldMs = 1000 * Math.max(atS - changesS, 0);
    const ageOf = (name: string) => (isNew(name) ? 0 : oldMs);
    const rows = Object.fromEntries(
      namesOf(nodes).map((name) => [name, { ageMs: ageOf(name), bodyAgeMs: ageOf(name), row }]),
    );
    kinds = look(atS, { says, rows, without: [node] }).findings.map(({ kind }) => kind);
    if (atS === changesS - 1) expect(kinds).toEqual(['host-plane']);
  }
  expect(kinds).not.toContain('host-plane');
});
