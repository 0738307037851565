import { describe, expect, test } from 'vitest';
import { Problems } from '../../../../agent/platform/problems.js';
import { withoutAddress } from '../../../../agent/model/without-address.js';
import { Health } from '../../../../agent/selfcheck/health.js';
import { NodeSourceHealth } from '../../../../agent/selfcheck/node-source-health.js';
import { numberedNodes } from '../../../rows/numbered-nodes.js';
import { FakeClock } from '../probing/fake-clock.js';

const epoch = Date.UTC(2026, 0, 1);

function create() {
  const clock = new FakeClock();
  const startMs = clock.nowMs();
  clock.wallOffsetMs = epoch - startMs;
  const problems = new Problems();
  const health = new Health(clock);
  const logged: { readonly atS: number; readonly facts: unknown; readonly text: string }[] = [];
  const log = (facts: unknown, text = ''): void =>
    void logged.push({ atS: (clock.nowMs() - startMs) / 1000, facts, text });
  const logger = { info: log, warn: log };
  const sources = new NodeSourceHealth({ health, clock, problems, logger });
  const tickFor = (seconds: number) => {
    for (let s = 0; s < seconds; s++) {
      clock.stall(1000);
      sources.tick();
    }
  };
  const message = () => health.status().components['node-source']?.message;
  return { clock, problems, health, logged, sources, tickFor, message };
}

const waiting = {
  source: 'API',
  waitsFor: 'nodes of the API',
  since: epoch,
  lastError: undefined,
  listAt: undefined,
};
const well = { ...waiting, since: undefined };
const words = 'waiting for nodes of the API since 2026-01-01T00:00:00.000Z';

describe('the health of the node sources', () => {
  test('is alive and not ready before any source has reported', () => {
    const { health, problems } = create();
    expect(health.ready().reasons).toEqual(['node-source: waiting for the first node list']);
    expect(problems.list()).toEqual([]);
    expect(health.live().ok).toBe(true);
  });

  test('names what a source waits for, since when, and the last error, made printable', () => {
    const { message, problems, sources } = create();
    sources.onSourceState({ ...waiting, lastError: 'refused\u001b[31m' });
    const line = `${words}: there is no node list yet (refused\\x1b[31m)`;
    expect(message()).toBe(line);
    expect(problems.list()).toEqual([line]);
    sources.onSourceState(well);
    expect(problems.list()).toEqual([]);
  });

  test('logs a wait that lasts at an ever slower rate, and its end', () => {
    const { health, logged, sources, tickFor } = create();
    sources.onSourceState(waiting);
    tickFor(3600);
    expect(health.live().ok).toBe(true);
    const gaps = [5, 65, 185, 425, 725, 1025];
    expect(logged.map(({ atS }) => atS).slice(0, 6)).toEqual(gaps);
    expect(logged[0]).toMatchObject({
      facts: { waitsFor: 'nodes of the API', since: '2026-01-01T00:00:00.000Z' },
      text: 'waiting for the node source',
    });
    sources.onSourceState(well);
    expect(logged.at(-1)).toMatchObject({ text: 'node source is well again' });
  });

  test('logs an error at once, and not more often if it changes', () => {
    const { logged, sources, tickFor } = create();
    for (let n = 0; n < 120; n++) {
      sources.onSourceState({ ...waiting, lastError: `attempt ${n}` });
      tickFor(1);
    }
    expect(logged.map(({ atS }) => atS)).toEqual([0, 60]);
    expect(logged[0]).toMatchObject({ facts: { reason: 'attempt 0' } });
  });

  test('logs nothing of a wait that is over at once', () => {
    const { logged, sources, tickFor } = create();
    sources.onSourceState(waiting);
    tickFor(4);
    sources.onSourceState(well);
    tickFor(600);
    expect(logged).toEqual([]);
  });

  test('is ready with a list, and stays ready with a note when a source is lost', () => {
    const { health, message, problems, sources } = create();
    sources.onSourceState(waiting);
    sources.onNodeList(numberedNodes(5));
    sources.onSourceState(well);
    expect(health.ready()).toEqual({ ok: true, reasons: [], notes: [] });
    sources.onSourceState({ ...waiting, listAt: epoch });
    const line = `${words}: the node list of 2026-01-01T00:00:00.000Z stays in use`;
    expect(health.ready()).toMatchObject({
      ok: true,
      notes: [`node-source: 5 nodes, listed 2026-01-01T00:00:00.000Z; ${line}`],
    });
    expect(problems.list()).toEqual([line]);
    sources.onSourceState(well);
    sources.onNodeList(numberedNodes(1));
    expect(message()).toBe('1 node, listed 2026-01-01T00:00:00.000Z');
  });

  test('says how changes of nodes come, where there is more than one way', () => {
    const { message, sources } = create();
    sources.onNodeList(numberedNodes(5));
    sources.onSourceState({ ...well, form: 'rows' });
    const list = '5 nodes, listed 2026-01-01T00:00:00.000Z';
    expect(message()).toBe(`${list}; changes from the ${well.source} come as table rows`);
    sources.onSourceState({ ...well, form: 'objects' });
    expect(message()).toBe(`${list}; changes from the ${well.source} come as whole objects`);
  });

  test('names the nodes that are excluded for lack of an address, and none that is away for another reason', () => {
    const { problems, sources } = create();
    const bare = (name: string) => ({
      ...{ name: `c/${name}`, host: [], endpoint: [] },
      lifecycle: { ...withoutAddress },
    });
    const taken = { phase: 'excluded', reason: 'address 198.51.100.0 belongs to c/n0' } as const;
    const young = { phase: 'joining', reason: 'no address' } as const;
    sources.onNodeList([
      ...[...numberedNodes(2), bare('a')],
      ...[taken, young].map((lifecycle) => ({ ...bare('b'), lifecycle })),
    ]);
    expect(problems.list()).toEqual(['c/a has no host address and is excluded']);
    sources.onNodeList(['a', 'b', 'd', 'e', 'f'].map(bare));
    expect(problems.list()).toEqual([
      'c/a, c/b, c/d and 2 more have no host address and are excluded',
    ]);
    sources.onNodeList(numberedNodes(2));
    expect(problems.list()).toEqual([]);
  });

  test('reports one wait for each source, whatever it waits for', () => {
    const { message, problems, sources } = create();
    const since = 'since 2026-01-01T00:00:00.000Z: there is no node list yet';
    const west = { ...waiting, source: 'API of west', waitsFor: 'nodes of west' };
    sources.onSourceState(waiting);
    sources.onSourceState({ ...waiting, waitsFor: 'pods' });
    sources.onSourceState(west);
    expect(message()).toBe(`waiting for pods ${since}; waiting for nodes of west ${since}`);
    expect(problems.list()).toHaveLength(2);
    sources.onSourceState(well);
    expect(message()).toBe(`waiting for nodes of west ${since}`);
  });

  test('has a list of age 0 while every source is well, however long nothing changes', () => {
    const { sources, tickFor } = create();
    tickFor(4);
    expect(sources.listAgeSeconds).toBe(4);
    sources.onSourceState(well);
    sources.onNodeList(numberedNodes(3));
    tickFor(3600);
    expect(sources.listAgeSeconds).toBe(0);
  });

  test('counts the age of the list from when a lost source last knew it to be true', () => {
    const { sources, tickFor } = create();
    sources.onSourceState(well);
    sources.onNodeList(numberedNodes(3));
    tickFor(60);
    const other = { ...waiting, source: 'other', since: epoch + 60_000, listAt: epoch + 50_000 };
    sources.onSourceState(other);
    tickFor(900);
    expect(sources.listAgeSeconds).toBe(910);
    sources.onSourceState({ ...other, since: undefined });
    expect(sources.listAgeSeconds).toBe(0);
  });

  test.each([-1, 1])('has the same age where the wall clock is set by %i h', (hours) => {
    const { clock, sources, tickFor } = create();
    clock.wallOffsetMs += hours * 3_600_000;
    tickFor(4);
    expect(sources.listAgeSeconds).toBe(4);
    sources.onSourceState(well);
    sources.onNodeList(numberedNodes(3));
    const since = clock.wallMs();
    const lost = { ...waiting, since, listAt: since - 10_000 };
    sources.onSourceState(lost);
    clock.wallOffsetMs += hours * 3_600_000;
    tickFor(60);
    sources.onSourceState({ ...lost, lastError: 'refused' });
    expect(sources.listAgeSeconds).toBe(70);
  });
});
