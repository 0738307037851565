import { expect, test } from 'vitest';
import { createStatusSource } from '../../../../agent/reports/status-source.js';
import { ResultStore } from '../../../../agent/results/result-store.js';

const each = { failures: 3, recovery: 2 };

function create(writeMs: number) {
  const store = new ResultStore({ thresholds: { icmp: each, http: each } });
  let writes = 0;
  const status = createStatusSource(store, ({ generation }) => {
    writes++;
    const untilMs = performance.now() + writeMs;
    while (performance.now() < untilMs);
    return Buffer.from(`${generation}`);
  });
  const change = () => store.setNodes([]);
  return { status, change, writes: () => writes };
}

test('writes a generation once, however often it is asked for', () => {
  const { status, writes } = create(0);
  const first = status();
  expect(status({ fresh: true })).toBe(first);
  expect(writes()).toBe(1);
});

test('lets a body that was costly to write stand for a while', () => {
  const { status, change } = create(10);
  const first = status();
  change();
  expect(status()).toBe(first);
});

test('writes a fresh one where that is asked for, with another tag', () => {
  const { status, change } = create(10);
  const first = status();
  change();
  const second = status({ fresh: true });
  expect(String(second.body)).not.toBe(String(first.body));
  expect(second.etag).not.toBe(first.etag);
  expect(status()).toBe(second);
});
