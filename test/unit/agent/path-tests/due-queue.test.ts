import { expect, test } from 'vitest';
import { DueQueue } from '../../../../agent/path-tests/large/due-queue.js';
import { Random } from '../../../fuzz/random.js';

test('the key that is due first comes first, by its last time, whatever was set and deleted', () => {
  const random = new Random(1);
  const [queue, known] = [new DueQueue(), new Map<string, number>()];
  for (let step = 0; step < 5000; step++) {
    const key = `path ${random.below(200)}`;
    if (random.below(4) === 0) {
      queue.delete(key);
      known.delete(key);
    } else {
      const dueMs = random.below(1000);
      queue.set(key, dueMs);
      known.set(key, dueMs);
    }
    const first = queue.first();
    expect(first?.dueMs).toBe(known.size === 0 ? undefined : Math.min(...known.values()));
    expect(first && known.get(first.key)).toBe(first?.dueMs);
  }
});
