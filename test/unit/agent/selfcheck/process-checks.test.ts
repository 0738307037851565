import { describe, expect, test } from 'vitest';
import { httpCheck, icmpCheck } from '../../../../agent/selfcheck/probing-checks.js';
import {
  eventLoopCheck,
  memoryCheck,
  schedulerCheck,
} from '../../../../agent/selfcheck/process-checks.js';
import { createHealthReporter } from '../../../../agent/selfcheck/health-reporter.js';

const { signal } = new AbortController();
const statsWith = (more: object) => [
  {
    protocol: 'http' as const,
    paths: 1,
    probed: 1,
    overdueMs: 0,
    notSentInARow: 0,
    notSent: undefined,
    ...more,
  },
];

describe('the memory check', () => {
  const mib = 1024 * 1024;

  test('fails past the limit and says both figures', () => {
    expect(memoryCheck(100, () => 100 * mib).run(signal)).toMatchObject({ ok: true });
    expect(memoryCheck(100, () => 100 * mib + 1).run(signal)).toEqual({
      ok: false,
      message: '101 MiB resident, max-memory-mib 100',
    });
  });

  test('never fails without a limit', () => {
    expect(memoryCheck(undefined, () => 1e12).run(signal)).toMatchObject({ ok: true });
  });

  test('does not fail where the figure cannot be read, and says why', () => {
    const check = memoryCheck(100, () => {
      throw new Error('EMFILE: too many open files');
    });
    expect(check.run(signal)).toEqual({
      ok: true,
      message: 'resident memory cannot be read: EMFILE: too many open files',
      note: true,
    });
  });

  test('counts for liveness at once', () => {
    expect(memoryCheck(1, () => 0)).toMatchObject({ live: true, ready: false, allowedFailures: 0 });
  });
});

describe('the event-loop check', () => {
  test('fails from a second on', () => {
    expect(eventLoopCheck(() => 999).run(signal)).toMatchObject({ ok: true });
    expect(eventLoopCheck(() => 1000).run(signal)).toEqual({
      ok: false,
      message: 'blocked for 1000 ms at the longest',
    });
  });
});

describe('the scheduler check', () => {
  test('fails if a scheduler has been overdue for too long, and names it', () => {
    expect(schedulerCheck(() => statsWith({ overdueMs: 5000 })).run(signal)).toMatchObject({
      ok: true,
    });
    expect(schedulerCheck(() => statsWith({ overdueMs: 7000 })).run(signal)).toEqual({
      ok: false,
      message: 'http has no sample, overdue for 7 s',
    });
  });
});

describe('the sender checks', () => {
  test('are well without ICMP, and name what is missing', () => {
    const check = icmpCheck({ unavailable: 'no permission' }, () => statsWith({}));
    expect(check.run(signal)).toEqual({ ok: true, message: 'no permission', note: true });
    expect(check.live).toBe(false);
  });

  test('fail while probes cannot be sent, and say why', () => {
    const check = httpCheck(() => statsWith({ notSentInARow: 7, notSent: 'EMFILE' }));
    expect(check.run(signal)).toEqual({
      ok: false,
      message: 'the last 7 probes could not be sent: EMFILE',
    });
    const few = statsWith({ notSentInARow: 4, notSent: 'ENOBUFS' });
    expect(httpCheck(() => few).run(signal)).toMatchObject({ ok: true });
  });
});

describe('createChangeTeller', () => {
  test('logs each change once and keeps failed components among the problems', () => {
    const verdict = (ok: boolean) => ({ ok, reasons: ok ? [] : ['a: broken'], notes: [] });
    let [failed, ready] = [new Map<string, string>(), false];
    const lines: string[] = [];
    const problems = new Map<string, string>();
    const log = (_: unknown, message: string) => lines.push(message);
    const tell = createHealthReporter({
      health: { failed: () => failed, live: () => verdict(true), ready: () => verdict(ready) },
      logger: { info: log, warn: log } as never,
      problems: {
        set: (cause, text) => problems.set(cause, text).size > 0,
        clear: (cause) => problems.delete(cause),
      },
    });
    tell();
    expect(lines).toEqual([]);
    ready = true;
    tell();
    tell();
    [failed, ready] = [new Map([['a', 'broken']]), false];
    tell();
    tell();
    expect([...problems.values()]).toEqual(['a: broken']);
    [failed, ready] = [new Map<string, string>(), true];
    tell();
    expect(problems.size).toBe(0);
    expect(lines).toEqual([
      'the agent is ready',
      'self check failed',
      'the agent is not ready any more',
      'self check is good again',
      'the agent is ready',
    ]);
  });
});
