import { describe, expect, test } from 'vitest';
import { Health } from '../../../../agent/selfcheck/health.js';
import { componentsReportSchema } from '../../../../api/schema/kubelet.js';
import { FakeClock } from '../probing/fake-clock.js';

const good = { ok: true, message: 'fine' };
const bad = { ok: false, message: 'broken' };

function create() {
  const clock = new FakeClock();
  const health = new Health(clock);
  const register = (name: string, more: object = {}) =>
    health.register({
      name,
      timeoutMs: 1000,
      allowedFailures: 0,
      live: true,
      ready: true,
      ...more,
    });
  return { clock, health, register };
}

describe('Health', () => {
  test('is alive but not ready before a component has spoken, and says which', () => {
    const { health, register } = create();
    register('responder');
    expect(health.live()).toEqual({ ok: true, reasons: [], notes: [] });
    expect(health.ready()).toMatchObject({
      ok: false,
      reasons: ['responder: nothing reported yet'],
    });
  });

  test('is ready after every readiness component was well', () => {
    const { health, register } = create();
    const [first, second] = [register('a'), register('b', { ready: false })];
    first(good);
    expect(health.ready().ok).toBe(true);
    second(bad);
    expect(health.ready().ok).toBe(true);
    expect(health.live()).toMatchObject({ ok: false, reasons: ['b: broken'] });
  });

  test('fails a component that falls silent past its timeout, until it speaks again', () => {
    const { clock, health, register } = create();
    const report = register('scheduler');
    report(good);
    clock.stall(1000);
    expect(health.live().ok).toBe(true);
    clock.stall(1);
    const reason = 'scheduler: silent for 1 s, expected news within 1 s; last: fine';
    expect(health.live()).toMatchObject({ ok: false, reasons: [reason] });
    expect(health.ready()).toMatchObject({ ok: false, reasons: [reason] });
    report(good);
    expect(health.live().ok).toBe(true);
  });

  test('fails a component that never spoke within its timeout', () => {
    const { clock, health, register } = create();
    register('scheduler');
    clock.stall(1001);
    expect(health.live().ok).toBe(false);
  });

  test('never fails a silent component without a timeout', () => {
    const { clock, health, register } = create();
    register('config', { timeoutMs: Infinity })(good);
    clock.stall(1e9);
    expect(health.ready().ok).toBe(true);
  });

  test('lets as many failures in a row pass as are allowed, and no more', () => {
    const { health, register } = create();
    const report = register('responder', { allowedFailures: 2 });
    report(good);
    report(bad);
    report(bad);
    expect([health.live().ok, health.ready().ok]).toEqual([true, true]);
    report(good);
    report(bad);
    report(bad);
    expect(health.live().ok).toBe(true);
    report(bad);
    expect(health.live()).toMatchObject({ ok: false, reasons: ['responder: broken'] });
  });

  test('is not ready after a failure of a component that was never well, even if failures are allowed', () => {
    const { health, register } = create();
    register('responder', { allowedFailures: 2 })(bad);
    expect([health.live().ok, health.ready().ok]).toEqual([true, false]);
  });

  test('fails no component for the time in which the process stood still', () => {
    const { clock, health, register } = create();
    register('scheduler')(good);
    clock.stall(60_000);
    health.extendDeadlines(60_000);
    expect(health.live().ok).toBe(true);
  });

  test('has notes even if all is well', () => {
    const { health, register } = create();
    register('icmp')({ ok: true, message: 'no permission', note: true });
    expect(health.ready()).toEqual({ ok: true, reasons: [], notes: ['icmp: no permission'] });
  });

  test('shows everything in its status, in the shape of the schema', async () => {
    const { clock, health, register } = create();
    const [a, b] = [register('a'), register('b', { live: false, allowedFailures: 1 })];
    a(good);
    await clock.advance(500);
    b(bad);
    const status = health.status();
    expect(componentsReportSchema.parse(status)).toEqual({
      healthy: true,
      ready: false,
      message: 'b: broken',
      lastUpdate: '2026-01-01T00:00:01.500Z',
      components: {
        a: {
          initialized: true,
          live: true,
          ready: true,
          ok: true,
          message: 'fine',
          updatedAt: '2026-01-01T00:00:01.000Z',
        },
        b: {
          initialized: false,
          live: false,
          ready: true,
          ok: false,
          message: 'broken',
          updatedAt: '2026-01-01T00:00:01.500Z',
        },
      },
    });
  });

  test('counts as failed only what was well before', () => {
    const { health, register } = create();
    const [a, b] = [register('a'), register('b')];
    a(good);
    b(bad);
    expect(health.failed()).toEqual(new Map());
    a(bad);
    expect(health.failed()).toEqual(new Map([['a', 'broken']]));
  });

  test('refuses two components of one name', () => {
    const { register } = create();
    register('a');
    expect(() => register('a')).toThrow('two components named a');
  });
});
