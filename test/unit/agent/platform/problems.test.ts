import { afterEach, expect, test, vi } from 'vitest';
import { Problems } from '../../../../agent/platform/problems.js';

afterEach(() => {
  vi.useRealTimers();
});

test('a problem is new once, until its words change or it is cleared', () => {
  const problems = new Problems();
  expect([
    problems.set('no-address', 'x'),
    problems.set('no-address', 'x'),
    problems.set('no-address', 'y'),
  ]).toEqual([true, false, true]);
  expect(problems.list()).toEqual(['y']);
  expect([
    problems.clear('no-address'),
    problems.clear('no-address'),
    problems.set('no-address', 'y'),
  ]).toEqual([true, false, true]);
});

test('a problem has a code for programs, a cause, and a severity', () => {
  const problems = new Problems();
  problems.set('local-node', 'x');
  problems.set('selfcheck:icmp', 'y');
  problems.setFor('selfcheck:http', 'z', 1000);
  expect(problems.coded()).toEqual([
    { code: 'local-node', severity: 'warning', text: 'x' },
    { code: 'selfcheck', severity: 'error', text: 'y' },
    { code: 'selfcheck', severity: 'error', text: 'z' },
  ]);
  expect(problems.list()).toEqual(['x', 'y', 'z']);
});

test('a problem that ends by itself is shown as long as it occurs again in time', () => {
  vi.useFakeTimers();
  const problems = new Problems();
  expect(problems.setFor('no-address', 'x', 1000)).toBe(true);
  vi.advanceTimersByTime(900);
  expect(problems.setFor('no-address', 'x', 1000)).toBe(false);
  vi.advanceTimersByTime(900);
  expect(problems.list()).toEqual(['x']);
  vi.advanceTimersByTime(200);
  expect(problems.list()).toEqual([]);
  expect(problems.setFor('no-address', 'x', 1000)).toBe(true);
});

test('a problem that has ended takes no memory, whatever becomes of its cause', () => {
  vi.useFakeTimers();
  const problems = new Problems();
  for (let node = 0; node < 100; node++) {
    problems.setFor(`mesh-source c/n${node}`, 'x', 1000);
    vi.advanceTimersByTime(1001);
  }
  expect(problems.size).toBe(1);
  expect(problems.list()).toEqual([]);
  expect(problems.size).toBe(0);
});

test('a step of the system clock neither ends a problem nor keeps it', () => {
  vi.useFakeTimers();
  const problems = new Problems();
  problems.setFor('no-address', 'x', 1000);
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(problems.list()).toEqual(['x']);
  vi.setSystemTime(Date.now() - 2 * 3_600_000);
  vi.advanceTimersByTime(1001);
  expect(problems.list()).toEqual([]);
});
