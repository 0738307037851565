import { describe, expect, test } from 'vitest';
import { Random } from '../../fuzz/random.js';
import { figures, type FigureName, type Sample } from '../../soak/figures.js';
import { judge, warmUpOf } from '../../soak/verdict.js';

const hourMs = 3_600_000;
const gapMs = 30_000;

interface Course {
  readonly agents?: number;
  readonly runMs?: number;
  readonly valueOf: (agent: number, ms: number) => number;
  readonly isCalm?: (ms: number) => boolean;
}

function samplesOf(name: FigureName, course: Course): Sample[] {
  const { agents = 12, runMs = hourMs, valueOf, isCalm = () => true } = course;
  return Array.from({ length: agents }, (_, agent) =>
    Array.from({ length: runMs / gapMs }, (_sample, at): Sample => {
      const ms = at * gapMs;
      const values = { [name]: valueOf(agent, ms) };
      const about = { host: `n${agent}`, pid: 100 + agent, ageMs: ms, findings: [] };
      return { ms, isCalm: isCalm(ms), values, ...about };
    }),
  ).flat();
}

function verdict(name: FigureName, course: Course): string | undefined {
  const warmUpMs = warmUpOf(course.runMs ?? hourMs);
  return judge(name, figures[name], samplesOf(name, course), warmUpMs).grows;
}

/** A heap of a level of its own that is collected now and then. */
function noise(random: Random): (agent: number, ms: number) => number {
  return (agent, ms) => 40 + agent + 4 * ((ms / gapMs + 3 * agent) % 7) + 2 * random.next();
}

describe('the verdict on a figure', () => {
  test.for(Array.from({ length: 20 }, (_, seed) => seed))(
    'finds a steady leak of all agents, and not the noise (seed %i)',
    (seed) => {
      const heap = noise(new Random(seed));
      expect(verdict('private', { valueOf: heap })).toBeUndefined();
      const leaking = (agent: number, ms: number) => heap(agent, ms) + (12 * ms) / hourMs;
      expect(verdict('private', { valueOf: leaking })).toBe('all agents');
    },
  );

  test('names one agent that leaks among many', () => {
    const heap = noise(new Random(5));
    const valueOf = (agent: number, ms: number) =>
      heap(agent, ms) + (agent === 7 ? (40 * ms) / hourMs : 0);
    expect(verdict('private', { agents: 30, valueOf })).toBe('n7 (pid 107)');
  });

  test('finds descriptors that are not closed', () => {
    const valueOf = (agent: number, ms: number) => 40 + (agent % 3) + Math.floor(ms / (hourMs / 8));
    expect(verdict('descriptors', { valueOf })).toBe('all agents');
  });

  test('does not call the warm-up a leak', () => {
    const valueOf = (_: number, ms: number) => 40 + Math.min(ms, hourMs / 4) / 60_000;
    expect(verdict('private', { valueOf })).toBeUndefined();
  });

  test('does not call growth below the bound a leak, however sure it is', () => {
    const valueOf = (agent: number, ms: number) => 40 + agent + (5 * ms) / hourMs;
    expect(verdict('private', { valueOf })).toBeUndefined();
    const samples = samplesOf('private', { valueOf });
    expect(judge('private', figures.private, samples, 0).slope?.perHour).toBeCloseTo(5);
  });

  test('does not call a falling figure a leak', () => {
    const valueOf = (_: number, ms: number) => 100 - (50 * ms) / hourMs;
    expect(verdict('private', { valueOf })).toBeUndefined();
  });

  test('leaves faults out of the series', () => {
    // The faults become more to the end, and each adds series.
    const isCalm = (ms: number) => (ms / gapMs) % 10 > 10 * (ms / hourMs) - 1;
    const valueOf = (_: number, ms: number) => (isCalm(ms) ? 130 : 180);
    expect(verdict('series', { valueOf, isCalm })).toBeUndefined();
    expect(verdict('series', { valueOf })).toBe('all agents');
  });

  test('has nothing to say of too few samples', () => {
    const judgement = judge('private', figures.private, [], 0);
    expect(judgement).toEqual({ slope: undefined, grows: undefined, isMissing: false });
    const short = samplesOf('private', { runMs: 60_000, valueOf: () => 40 });
    expect(judge('private', figures.private, short, warmUpOf(60_000)).isMissing).toBe(false);
  });

  test('misses a figure that was not measured though the run was long enough', () => {
    const samples = samplesOf('heap', { valueOf: () => 40 });
    const isMissing = (name: FigureName) =>
      judge(name, figures[name], samples, warmUpOf(hourMs)).isMissing;
    expect(isMissing('series')).toBe(true);
    expect(isMissing('private')).toBe(true);
    expect(isMissing('heap')).toBe(false);
    // It is shown, and not judged.
    expect(isMissing('wakeUps')).toBe(false);
  });
});

test('the warm-up is a quarter of the run, 5 to 15 minutes', () => {
  expect(warmUpOf(12 * 60_000)).toBe(5 * 60_000);
  expect(warmUpOf(40 * 60_000)).toBe(10 * 60_000);
  expect(warmUpOf(24 * hourMs)).toBe(15 * 60_000);
});
