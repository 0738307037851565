import { expect, test } from 'vitest';
import { hasQuorum, othersHeard } from '../../../../agent/kubernetes-status/quorum.js';
import type { RowPath } from '../../../../agent/model/row.js';

const names = ['c/n2', 'c/n3', 'c/n4', 'c/n5'];
const failing = (node: string, path: Partial<RowPath> = {}): RowPath => ({
  ...{ node, plane: 'host', protocol: 'http', state: 'unreachable', ageSeconds: 1 },
  ...path,
});

test('who is not reached counts as not heard, though its last row is fresh', () => {
  const heard = (paths: readonly RowPath[]) => othersHeard(names, { paths }, () => 3000);
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
  const others = othersHeard(names, { paths: [] }, (name) => (name === 'c/n2' ? 0 : undefined));
  expect(hasQuorum({ others, freshForMs: 11_000 })).toBe(false);
});
