import { afterEach, describe, expect, test } from 'vitest';
import { Checks, type Check } from '../../../../agent/selfcheck/checks.js';
import { Health, type Report } from '../../../../agent/selfcheck/health.js';
import { checkupSchema } from '../../../../api/schema/kubelet.js';
import { FakeClock } from '../probing/fake-clock.js';

const good: Report = { ok: true, message: 'fine' };
let stop: () => void = () => undefined;
afterEach(() => stop());

function create(checks: readonly Partial<Check>[]) {
  const clock = new FakeClock();
  const health = new Health(clock);
  const whole = checks.map((check, i) => ({
    name: `c${i}`,
    everyMs: 5000,
    timeoutMs: 20_000,
    allowedFailures: 0,
    live: true,
    ready: true,
    run: () => good,
    ...check,
  }));
  const stoodStillMs: number[] = [];
  const onStoodStill = (ms: number) => stoodStillMs.push(ms);
  const running = new Checks(whole, { clock, health, onProcessStall: onStoodStill });
  stop = () => running.stop();
  return { clock, health, running, stoodStillMs };
}

const never = () => new Promise<Report>(() => undefined);

describe('Checks', () => {
  test('has the results of synchronous checks right after its start', () => {
    const { health, running } = create([{}]);
    running.start();
    expect(health.ready().ok).toBe(true);
  });

  test('runs a check often until it succeeds, and then at its own interval', async () => {
    const atMs: number[] = [];
    const { clock, running } = create([
      { run: () => ({ ok: atMs.push(clock.nowMs() - 1000) > 2, message: '' }) },
    ]);
    running.start();
    await clock.advance(11_000);
    // Later ticks fall on whole seconds.
    expect(atMs).toEqual([0, 200, 400, 5000, 10_000]);
  });

  test('takes an error that a check throws as its failure', async () => {
    const { clock, health, running } = create([
      {
        run: () => {
          throw new Error('no such thing');
        },
      },
      { run: () => Promise.reject(new Error('nor that')) },
    ]);
    running.start();
    await clock.advance(0);
    expect(health.live().reasons).toEqual(['c0: no such thing', 'c1: nor that']);
  });

  test('lets a check that hangs fall silent, without starting it again or holding up others', async () => {
    let runs = 0;
    const hang = () => {
      runs++;
      return never();
    };
    const { clock, health, running } = create([{ run: hang }, {}]);
    running.start();
    await clock.advance(21_000);
    expect(runs).toBe(1);
    expect(health.live().reasons).toEqual([
      'c0: silent for 21 s, expected news within 20 s; last: nothing reported yet',
    ]);
  });

  test('does not call a check silent that could not report while the process stood still', async () => {
    const { clock, health, running, stoodStillMs } = create([{ run: never }]);
    running.start();
    clock.stall(60_200);
    await clock.advance(1000);
    expect(health.live().ok).toBe(true);
    expect(stoodStillMs).toEqual([60_000]);
  });

  test('runs no check after it is stopped', async () => {
    let runs = 0;
    const { clock, running } = create([{ run: () => ({ ok: runs++ > 100, message: '' }) }]);
    running.start();
    running.stop();
    await clock.advance(10_000);
    expect([runs, clock.pendingTimers]).toEqual([1, 0]);
  });

  test('runs all checks at once on demand, and gives unfinished ones as failed', async () => {
    const { clock, health, running } = create([
      {},
      { run: never },
      { run: () => ({ ok: false, message: 'broken' }) },
    ]);
    health.register({
      name: 'config',
      timeoutMs: Infinity,
      allowedFailures: 0,
      live: false,
      ready: true,
    })(good);
    const checkup = running.checkup();
    await clock.advance(3000);
    expect(checkupSchema.parse(await checkup)).toEqual({
      ok: false,
      reasons: ['c1: not through within 3000 ms', 'c2: broken'],
      checks: {
        c0: good,
        c1: { ok: false, message: 'not through within 3000 ms' },
        c2: { ok: false, message: 'broken' },
        config: good,
      },
    });
    expect(clock.pendingTimers).toBe(0);
  });

  test('shares a run between callers, and does not count its failures in a row', async () => {
    let runs = 0;
    const { health, running } = create([
      {
        run: async () => {
          runs++;
          await Promise.resolve();
          return { ok: false, message: 'broken' };
        },
      },
    ]);
    const [first, second] = await Promise.all([running.checkup(), running.checkup()]);
    expect([first.ok, second, runs]).toEqual([false, first, 1]);
    expect(health.live().ok).toBe(true);
  });
});
