import { expect, test } from 'vitest';
import type { Node } from '../../../../agent/model/node.js';
import { NodeDirectory } from '../../../../agent/peers/node-directory.js';
import { encodeRow } from '../../../../agent/peers/row/row-text.js';
import { Observers } from '../../../../agent/peers/observers.js';
import { wellRow } from '../exchange/lib/rows.js';

const node = (name: string, phase?: 'excluded' | 'leaving'): Node => ({
  name,
  host: [],
  endpoint: [],
  ...(phase && { lifecycle: { phase } }),
});

test('only a stale observer whose node is expected to answer is missed', () => {
  const directory = new NodeDirectory();
  const update = (...nodes: Node[]) => directory.update(nodes, { added: [], removed: [] }, 0);
  const observers = new Observers(directory, 'c/me');
  update(node('c/me'), node('c/a'), node('c/b'), node('c/never'));
  for (const name of ['c/a', 'c/b']) observers.keep(wellRow(name), 'tag', 0, 0);
  expect(observers.counts(1000)).toMatchObject({ fresh: 2, stale: 0, missed: 0, silent: 1 });
  expect(observers.counts(60_000)).toMatchObject({ fresh: 0, stale: 2, missed: 2, silent: 1 });
  update(node('c/me'), node('c/a'), node('c/b', 'leaving'), node('c/never', 'excluded'));
  expect(observers.counts(60_000)).toMatchObject({ fresh: 0, stale: 2, missed: 1, silent: 1 });
});

test('a row that came before this agent knew how large the cluster is stays fresh as long as it says', () => {
  const directory = new NodeDirectory();
  directory.update([node('c/me'), node('c/a')], { added: [], removed: [] }, 0);
  let intervalMs = 5000;
  const observers = new Observers(directory, 'c/me', () => ({
    httpIntervalMs: 10 * intervalMs,
    httpTimeoutMs: 10_000,
  }));
  const told = { ...wellRow('c/a'), httpIntervalMs: 250_000 };
  const row = observers.read('c/a', JSON.parse(encodeRow(told)));
  if (!row) throw new Error('the row is refused');
  observers.keep(row, 'tag', 0, 0);
  expect(observers.counts(200_000)).toMatchObject({ fresh: 0, stale: 1 });
  expect([...observers.rows(0)][0]?.row.httpIntervalMs).toBe(50_000);
  intervalMs = 250_000;
  expect(observers.counts(500_000)).toMatchObject({ fresh: 1, stale: 0 });
  expect([...observers.rows(0)][0]?.row.httpIntervalMs).toBe(250_000);
});

test('rows from before the host was suspended are stale until they are confirmed again', () => {
  const directory = new NodeDirectory();
  directory.update([node('c/me'), node('c/a'), node('c/b')], { added: [], removed: [] }, 0);
  const observers = new Observers(directory, 'c/me');
  for (const name of ['c/a', 'c/b']) {
    observers.keep(wellRow(name), 'tag', 200, 1000);
    observers.noteGet(name, 1000);
  }
  observers.noteSuspended(3_600_000);
  observers.confirm('c/b', 'tag', 1500);
  expect(observers.counts(2000)).toMatchObject({ fresh: 1, stale: 1, oldestMs: 3_601_000 });
  const [row] = observers.rows(2000);
  expect(row).toMatchObject({ freshness: 'stale', ageMs: 3_601_000, bodyAgeMs: 3_601_200 });
  expect(observers.getMs('c/a')).toBe(1000 - 3_600_000);
});
