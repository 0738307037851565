import { expect, test } from 'vitest';
import { OneAtATime } from '../../../../../agent/path-tests/throughput/one-at-a-time.js';

test('one test has the turn until it ends it', () => {
  const turn = new OneAtATime();
  const end = turn.take();
  expect([turn.isTaken, turn.take(), turn.take('a')]).toEqual([true, undefined, undefined]);
  end?.();
  expect(turn.isTaken).toBe(false);
  const next = turn.take('a');
  // It was ended before, and is another's now.
  end?.();
  expect(turn.isTaken).toBe(true);
  next?.();
  expect(turn.isTaken).toBe(false);
});

test('two sessions of one test share the turn, and the last of them ends it', () => {
  const turn = new OneAtATime();
  const first = turn.take('a');
  expect(turn.take('b')).toBeUndefined();
  expect(turn.take()).toBeUndefined();
  const second = turn.take('a');
  first?.();
  first?.();
  expect(turn.isTaken).toBe(true);
  second?.();
  expect(turn.isTaken).toBe(false);
});

test('a turn is shared once, so that nobody keeps it by one session after the other', () => {
  const turn = new OneAtATime();
  const first = turn.take('a');
  const second = turn.take('a');
  expect(turn.take('a')).toBeUndefined();
  first?.();
  expect(turn.take('a')).toBeUndefined();
  second?.();
  expect(turn.take('a')).toBeDefined();
});
