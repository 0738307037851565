import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTurns } from '../../../../../agent/probing/http/turns.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Actions that end when they are told to, and the order in which they began. */
function createActions() {
  const inTurn = createTurns();
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string): void =>
    inTurn((end) => {
      began.push(name);
      ends.set(name, end);
    });
  return { began, start, end: (name: string) => ends.get(name)?.() };
}

test('the next action begins when the last one has ended', () => {
  const { began, start, end } = createActions();
  for (const name of ['a', 'b', 'c']) start(name);
  expect(began).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(began).toEqual(['a']);
  end('a');
  expect(began).toEqual(['a']);
  vi.advanceTimersByTime(1);
  expect(began).toEqual(['a', 'b']);
});

test('behind an action that takes long all others begin, and later ones wait for each other again', () => {
  const { began, start, end } = createActions();
  start('slow');
  vi.advanceTimersByTime(100);
  start('a');
  start('b');
  vi.advanceTimersByTime(2);
  vi.advanceTimersToNextTimer();
  vi.advanceTimersToNextTimer();
  expect(began).toEqual(['slow', 'a', 'b']);
  end('slow');
  end('slow');
  start('c');
  start('d');
  vi.advanceTimersByTime(1);
  expect(began).toEqual(['slow', 'a', 'b']);
  end('b');
  vi.advanceTimersByTime(1);
  expect(began).toEqual(['slow', 'a', 'b', 'c']);
  vi.advanceTimersByTime(4);
  expect(began).toEqual(['slow', 'a', 'b', 'c', 'd']);
});

test('an action that ends at once holds nobody', () => {
  const inTurn = createTurns();
  const began: number[] = [];
  for (let i = 0; i < 5; i++)
    inTurn((end) => {
      began.push(i);
      end();
    });
  vi.runAllTimers();
  expect(began).toEqual([0, 1, 2, 3, 4]);
  inTurn(() => began.push(5));
  vi.runAllTimers();
  expect(began).toHaveLength(6);
});

test('no timer is left where nobody waits', () => {
  const { start } = createActions();
  start('a');
  vi.advanceTimersByTime(1);
  expect(vi.getTimerCount()).toBe(0);
});
