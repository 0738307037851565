import { describe, expect, test } from 'vitest';
import { Problems } from '../../../../agent/platform/problems.js';
import { Health } from '../../../../agent/selfcheck/health.js';
import { NodeSourceHealth } from '../../../../agent/selfcheck/node-source-health.js';
import { FakeClock } from '../probing/fake-clock.js';

const epoch = Date.UTC(2026, 0, 1);

function create() {
  const clock = new FakeClock();
  const startMs = clock.nowMs();
  const now = () => epoch + clock.nowMs() - startMs;
  const problems = new Problems();
  const health = new Health(clock, now);
  const logged: { readonly atS: number; readonly facts: unknown }[] = [];
  const logger = {
    warn: (facts: unknown) => logged.push({ atS: (clock.nowMs() - startMs) / 1000, facts }),
  };
  const watch = new NodeSourceHealth({
    ...{ health, clock, problems, now },
    logger,
  });
  const tickFor = (seconds: number) => {
    for (let s = 0; s < seconds; s++) {
      clock.stall(1000);
      watch.tick();
    }
  };
  return { clock, problems, health, logged, watch, tickFor };
}

describe('NodeSourceWatch', () => {
  test('waits from the start, is not ready meanwhile, and says so among the problems', () => {
    const { health, problems } = create();
    const words = 'waiting for the first node list since 2026-01-01T00:00:00.000Z';
    expect(health.ready().reasons).toEqual([`node-source: ${words}`]);
    expect(problems.list()).toEqual([words]);
    expect(health.live().ok).toBe(true);
  });

  test('says what a source waits for, since when, and the last error, made printable', () => {
    const { clock, health, problems, watch } = create();
    const sinceMs = clock.nowMs();
    clock.stall(90_000);
    const waitingFor = 'the API server at https://198.51.100.1';
    watch.waiting({ waitingFor, sinceMs, lastError: 'refused\u001b[31m' });
    const words = `waiting for ${waitingFor} since 2026-01-01T00:00:00.000Z; last error: refused\\x1b[31m`;
    expect(health.status().components['node-source']?.message).toBe(words);
    expect(problems.list()).toEqual([words]);
  });

  test('has no end, and is logged at an ever slower rate', () => {
    const { health, logged, tickFor } = create();
    tickFor(3600);
    expect(health.live().ok).toBe(true);
    expect(logged.map(({ atS }) => atS).slice(0, 7)).toEqual([5, 10, 20, 40, 80, 160, 320]);
    expect(logged.length).toBeLessThan(20);
    expect(logged[1]?.facts).toMatchObject({ waitingFor: 'the first node list', waitedS: 10 });
  });

  test('logs an error that changes no more often', () => {
    const { clock, logged, watch, tickFor } = create();
    const sinceMs = clock.nowMs();
    for (let n = 0; n < 60; n++) {
      watch.waiting({ waitingFor: 'x', sinceMs, lastError: `attempt ${n}` });
      tickFor(1);
    }
    expect(logged.map(({ atS }) => atS)).toEqual([5, 10, 20, 40]);
  });

  test('is ready with a list, and stays so when the source is lost, which shows', () => {
    const { clock, health, problems, logged, watch, tickFor } = create();
    watch.onNodeList(5);
    expect(problems.list()).toEqual([]);
    expect(health.ready()).toEqual({ ok: true, reasons: [], notes: [] });
    expect(health.status().message).toBe('all is well');
    tickFor(60);
    expect(logged).toEqual([]);
    watch.waiting({ waitingFor: 'the API server', sinceMs: clock.nowMs() });
    expect(health.ready()).toMatchObject({
      ok: true,
      notes: [
        'node-source: 5 nodes, listed 2026-01-01T00:00:00.000Z; waiting for the API server since 2026-01-01T00:01:00.000Z',
      ],
    });
    expect(problems.list()).toHaveLength(1);
    tickFor(5);
    expect(logged).toHaveLength(1);
    watch.onNodeList(6);
    expect(problems.list()).toEqual([]);
  });

  test('tells one wait for each source, whatever is waited for there, and forgets it when it is over', () => {
    const { health, problems, watch } = create();
    const message = () => health.status().components['node-source']?.message;
    const state = { source: 'API', since: epoch, lastError: undefined, listAt: undefined };
    const since = 'since 2026-01-01T00:00:00.000Z: there is no node list yet';
    watch.onSourceState({ ...state, waitsFor: 'nodes' });
    expect(message()).toBe(`waiting for nodes ${since}`);
    watch.onSourceState({ ...state, waitsFor: 'pods' });
    watch.onSourceState({ ...state, source: 'API of west', waitsFor: 'nodes of west' });
    expect(message()).toBe(`waiting for pods ${since}; waiting for nodes of west ${since}`);
    watch.onNodeList(3);
    watch.onSourceState({
      ...state,
      source: 'API of west',
      waitsFor: 'nodes of west',
      since: undefined,
    });
    watch.onSourceState({ ...state, waitsFor: 'nodes', since: undefined });
    expect(message()).toBe('3 nodes, listed 2026-01-01T00:00:00.000Z');
    expect(health.ready().notes).toEqual([]);
    expect(problems.list()).toEqual([]);
  });
});
