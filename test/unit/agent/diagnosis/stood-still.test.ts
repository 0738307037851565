import { describe, expect, it } from 'vitest';
import { n, namesOf, numberOf, rowsOf, watching, type ClusterOptions } from './cluster.js';
import { failing, isTo, type Which } from './paths.js';

const nodes = 8;
const others = namesOf(nodes).filter((name) => name !== n(7));

/**
 * A node whose port fails for all others since the second 0, as it looks so many seconds later.
 * @param heardS when each of the others got the first GET of it since then
 * @param fails what fails; left out, its GETs at the node IP
 */
function lookAt(
  now: number,
  heardS: (name: string) => number,
  fails: Which = isTo(n(7), 'host', 'http'),
): ClusterOptions {
  const hears = (name: string) => now > heardS(name);
  const heardMs = (name: string) => 1000 * (hears(name) ? now - heardS(name) : now + 3);
  // Who hears it writes a new row then.
  const bodyAgeMs = (name: string) => (hears(name) ? heardMs(name) : 0);
  return {
    says: (path) => {
      const ageSeconds = Math.floor(now - bodyAgeMs(path.from) / 1000);
      return failing(fails, { ageSeconds, failure: 'timeout' })(path);
    },
    without: [n(7)],
    rows: rowsOf(others, (name) => ({
      ageMs: 0,
      bodyAgeMs: bodyAgeMs(name),
      ...(hears(name) && { row: { heard: [n(7)] } }),
    })),
    input: { heardMsAgo: new Map([[n(7), heardMs(n(1))]]) },
  };
}

/** All hear it at the same time. */
const all = (atS: number) => () => atS;
/** Each hears it once in five seconds. */
const byTurns = (name: string) => 0.6 * numberOf(name);

/** The kinds that are told twice a second, from the second 1 on. */
function told(untilS: number, look: (seconds: number) => ClusterOptions): string[] {
  const kinds: string[] = [];
  const watch = watching(nodes);
  watch(0);
  for (let seconds = 1; seconds <= untilS; seconds += 0.5)
    kinds.push(
      watch(seconds, look(seconds))
        .findings.map(({ kind }) => kind)
        .join(),
    );
  return kinds;
}

const last = (kinds: readonly string[]) => kinds[kinds.length - 1];

describe('a node that stood still and is heard again', () => {
  const isAll = isTo(n(7));

  it.each([
    [7, 'its agent', undefined],
    [4.5, 'its agent', undefined],
    [7, 'its host', isAll],
  ])('for %d s, %s, is not told as filtered', (standsS, _, fails) => {
    const kinds = told(standsS + 2, (now) => lookAt(now, all(standsS), fails));
    expect(kinds).not.toContain('http-filtered');
    expect(kinds).not.toContain('node-isolated');
  });

  it('is told as filtered if it is not reached all the same', () => {
    expect(last(told(20, (now) => lookAt(now, all(7))))).toBe('http-filtered');
  });

  it('is told as isolated if it is not reached at all', () => {
    expect(last(told(20, (now) => lookAt(now, all(7), isAll)))).toBe('node-isolated');
  });
});

describe('a node whose port is filtered', () => {
  it('is told as ever, as it is heard all the while', () => {
    const kinds = told(8, (now) => lookAt(now, byTurns));
    expect(new Set(kinds.slice(6))).toEqual(new Set(['http-filtered']));
  });

  it('is told at once by an agent that has just started', () => {
    const watch = watching(nodes);
    const first = watch(30, lookAt(30, all(27)));
    expect(first.findings).toMatchObject([{ kind: 'http-filtered' }]);
  });
});
