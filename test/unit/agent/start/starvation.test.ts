import { expect, test } from 'vitest';
import { isOverloaded, isStarved } from '../../../../agent/start/starvation.js';

const eventLoop = (longestMs: number, recentWaitMs: number) => ({
  longestStarvationMs: () => longestMs,
  recentWaitMs: () => recentWaitMs,
});

test('an agent is starved by one long wait, or by many short ones', () => {
  expect(isStarved(eventLoop(199, 4999))).toBe(false);
  expect(isStarved(eventLoop(200, 0))).toBe(true);
  expect(isStarved(eventLoop(0, 5000))).toBe(true);
});

test('one long wait does not make a host overloaded', () => {
  expect(isOverloaded(eventLoop(3000, 3000))).toBe(false);
  expect(isOverloaded(eventLoop(50, 5000))).toBe(true);
});
