import { expect, test } from 'vitest';
import { hasQuorum, othersHeard, placeOf } from '../../../../agent/turns/quorum.js';
import type { RowPath } from '../../../../agent/model/row.js';

const names = ['c/n2', 'c/n3', 'c/n4', 'c/n5'];
const failing = (node: string, path: Partial<RowPath> = {}): RowPath => ({
  node,
  plane: 'host',
  protocol: 'http',
  state: 'unreachable',
  ageSeconds: 1,
  ...path,
});

test('who is not reached counts as not heard, though its last row is fresh', () => {
  const heard = (paths: readonly RowPath[]) =>
    othersHeard(names, { paths }, { heardMsAgo: () => 3000, isReady: () => true });
  const hasIt = (paths: readonly RowPath[]) =>
    hasQuorum({ others: heard(paths), freshForMs: 11_000 });
  expect(hasIt([])).toBe(true);
  expect(hasIt(['c/n2', 'c/n3'].map((name) => failing(name)))).toBe(true);
  expect(hasIt(['c/n2', 'c/n3', 'c/n4'].map((name) => failing(name)))).toBe(false);
  // Rows come by HTTP between hosts: what else fails says nothing of them.
  const others = names.flatMap((name) => [
    failing(name, { protocol: 'icmp' }),
    failing(name, { plane: 'endpoint' }),
    failing(name, { state: 'lossy' }),
  ]);
  expect(hasIt(others)).toBe(true);
});

test('who was never heard does not count', () => {
  const others = othersHeard(
    names,
    { paths: [] },
    { heardMsAgo: (name) => (name === 'c/n2' ? 0 : undefined), isReady: () => true },
  );
  expect(hasQuorum({ others, freshForMs: 11_000 })).toBe(false);
});

/** The places that agents have for one key, each as it sees all others. */
function places(
  away: readonly string[],
  isReady: (name: string) => boolean = () => true,
): Record<string, number> {
  const all = ['c/n1', ...names];
  const placeAt = (localName: string) => {
    const others = all
      .filter((name) => name !== localName)
      .map((name) => ({ name, heardMsAgo: 0, isReady: isReady(name) }));
    return placeOf('key', { localName, others, freshForMs: 11_000 }, new Set(away));
  };
  return Object.fromEntries(all.map((name) => [name, placeAt(name)]));
}

test('each agent has a place of its own, and those that findings name are the last', () => {
  const all = ['c/n1', ...names];
  for (const away of [[], ['c/n2'], ['c/n2', 'c/n4'], all]) {
    const at = places(away);
    expect(Object.values(at).sort()).toEqual([0, 1, 2, 3, 4]);
    const first = Math.min(...away.map((name) => at[name] ?? 0));
    expect(first).toBe(away.length === 0 ? Infinity : all.length - away.length);
  }
});

test('nobody waits for an agent that is not ready', () => {
  const first = Object.entries(places([])).find(([, place]) => place === 0)?.[0];
  const at = places([], (name) => name !== first);
  const rest = Object.entries(at).filter(([name]) => name !== first);
  expect(rest.map(([, place]) => place).sort()).toEqual([0, 1, 2, 3]);
});
