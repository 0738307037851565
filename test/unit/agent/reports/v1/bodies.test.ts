import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NamedCause } from '../../../../../agent/diagnosis/nouns/named-cause.js';
import { runAtOnce } from '../../../../../agent/platform/time-slices.js';
import type { ClusterState } from '../../../../../agent/reports/v1/cluster-state.js';
import { perChannel } from '../../../../../agent/model/channel.js';
import { nameHash } from '../../../../../agent/model/name-hash.js';
import { listOf } from '../../../../../agent/model/row-coverage.js';
import { findingsBody } from '../../../../../agent/reports/v1/findings-body.js';
import { nodeEntries, nodeEntry } from '../../../../../agent/reports/v1/node-entries.js';
import { summaryBody } from '../../../../../agent/reports/v1/summary-body.js';
import type { NodeFilter } from '../../../../../api/routes/v1/source.js';
import { findingKinds } from '../../../../../api/schema/v1/finding-kinds.js';
import { findingsSchema } from '../../../../../api/schema/v1/findings.js';
import { nodeEntrySchema } from '../../../../../api/schema/v1/nodes.js';
import { summarySchema } from '../../../../../api/schema/v1/summary.js';
import { at, failing, fresh, nodeOf, rowOf, staleRow, stateOf } from './cluster.js';
import { makeStore } from '../../../../rows/make-store.js';
import { makeFinding } from '../../../../rows/make-finding.js';

const zoned = [1, 2, 3, 4].map((index) => nodeOf(index, { zone: index <= 2 ? 'a' : 'b' }));
const about = join(import.meta.dirname, '../../../../../package.json');
const noPermission = {
  protocol: 'icmp',
  reason: 'no permission',
  text: 'no permission to send ICMP: run as root',
  switchedOff: false,
} as const;
const filter = { afterName: undefined, limit: 1000 };

/** A finding of many, and the causes that it may stand for. */
const downMany = makeFinding({ id: 'node-down:many', count: 17 });
const broken = { trouble: 'broken', channels: 15 } as const;
const down = (...numbers: number[]): NamedCause[] =>
  numbers.map((number) => ({ ...broken, type: 'node', names: [`c/n${number}`] }));

const entryOf = (state: ClusterState, name: string) => runAtOnce(nodeEntry(state, name));
const entriesOf = (state: ClusterState, query: NodeFilter) => runAtOnce(nodeEntries(state, query));

describe('the summary', () => {
  test('says ok while nothing is found, and counts nodes and paths', () => {
    const cordoned = nodeOf(5, { lifecycle: { phase: 'excluded', reason: 'cordoned' } });
    const body = summaryBody(stateOf([...zoned, cordoned]));
    expect(summarySchema.parse(body)).toMatchObject({
      node: 'c/n1',
      verdict: 'ok',
      nodes: { active: 4, joining: 0, leaving: 0, excluded: 1 },
      paths: { host: { icmp: { reachable: 4, unreachable: 0, unknown: 0 } } },
      findings: 0,
    });
  });

  test('has the count of unexplained pairs if it is not zero', () => {
    expect(summarySchema.parse(summaryBody(stateOf(zoned)))).not.toHaveProperty('unexplained');
    expect(summaryBody(stateOf(zoned, { unexplained: 3 })).unexplained).toBe(3);
  });
});

describe('the findings', () => {
  test('leave out the count of unexplained pairs if it is zero', () => {
    expect(findingsSchema.parse(findingsBody(stateOf(zoned)))).not.toHaveProperty('unexplained');
    expect(findingsBody(stateOf(zoned, { unexplained: 3 })).unexplained).toBe(3);
  });

  test('have what Kubernetes says of their node', () => {
    const sinceAt = Date.parse('2026-11-21T09:58:00Z');
    const nodes = [nodeOf(1), nodeOf(2, { condition: { name: 'NotReady', sinceAt } })];
    const finding = (node: string) => ({ id: node, kind: 'node-down', node }) as never;
    const state = stateOf(nodes, { findings: [finding('c/n1'), finding('c/n2')] });
    expect(findingsBody(state).findings.map(({ known }) => known)).toEqual([
      undefined,
      'Kubernetes: NotReady since 2026-11-21T09:58:00Z',
    ]);
  });

  test('of many have what Kubernetes says of all of them, since the last', () => {
    const notReady = (minute: number) => {
      const sinceAt = Date.parse(`2026-11-21T09:${minute}:00Z`);
      return { condition: { name: 'NotReady', sinceAt } } as const;
    };
    const nodes = [nodeOf(1), nodeOf(2, notReady(58)), nodeOf(3, notReady(59))];
    const knownOf = (...numbers: number[]) =>
      findingsBody(stateOf(nodes, { findings: [downMany], standsFor: () => down(...numbers) }))
        .findings[0]?.known;
    expect(knownOf(2, 3)).toBe('Kubernetes: NotReady since 2026-11-21T09:59:00Z');
    expect(knownOf(1, 2, 3)).toBeUndefined();
    expect(knownOf()).toBeUndefined();
  });
});

describe('a finding', () => {
  test('has the address of what its kind means', () => {
    const { homepage } = JSON.parse(readFileSync(about, 'utf8')) as { homepage: string };
    const findings = findingKinds.map((kind) => ({ id: kind, kind }) as never);
    expect(
      findingsBody(stateOf([nodeOf(1)], { findings })).findings.map(({ docs }) => docs),
    ).toEqual(findingKinds.map((kind) => `${homepage}/blob/main/docs/when-it-says.md#${kind}`));
  });
});

describe('the nodes', () => {
  test('are reached by observers that do not probe ICMP, and say why it is unknown', () => {
    const nodes = [nodeOf(1), nodeOf(2), nodeOf(3)];
    const blind = (observer: string, ...others: string[]) => {
      const paths = others.map((node) => failing(node, { state: 'unknown' }));
      const row = rowOf(observer, paths);
      const none = { reachable: 0, unreachable: 0, unknown: others.length, degraded: 0 };
      const counts = perChannel(({ plane, protocol }) =>
        protocol === 'icmp' ? none : row.counts[plane][protocol],
      );
      return fresh({ ...row, counts });
    };
    const entry = entryOf(
      stateOf(nodes, {
        rows: [blind('c/n1', 'c/n2', 'c/n3'), blind('c/n2', 'c/n3'), blind('c/n3', 'c/n2')],
        notProbed: [noPermission],
      }),
      'c/n2',
    );
    expect(entry?.seenBy).toEqual({ reachable: 2, unreachable: 0, of: 2 });
  });

  test('are reached by nobody where they have no address: that is not known', () => {
    const nodes = [nodeOf(1), nodeOf(2), nodeOf(3, { host: [], endpoint: [] })];
    const rows = nodes.slice(0, 2).map(({ name }) => fresh(rowOf(name)));
    expect(entryOf(stateOf(nodes, { rows }), 'c/n3')).toMatchObject({
      verdict: 'unknown',
      seenBy: { reachable: 0, unreachable: 0, of: 2 },
    });
  });

  test('that show signs, or tell of changes, have both where that is asked for', () => {
    const full = { sign: 'conntrack-full', plane: 'host', about: '', value: 9, limit: 10 } as const;
    const signs = [{ ...full, ageSeconds: 60 }];
    const booted = { change: 'rebooted', about: '', from: '', to: '' } as const;
    const changes = [{ ...booted, ageSeconds: 90, withinSeconds: 0 }];
    const rows = [
      fresh(rowOf('c/n1', [], { signs })),
      { ...fresh(rowOf('c/n2', [], { signs, changes })), freshness: 'stale' as const },
      fresh(rowOf('c/n3', [], { signs, changes })),
      fresh(rowOf('c/n4')),
    ];
    const told = (shows: NodeFilter['shows']) =>
      entriesOf(stateOf(zoned, { rows }), { ...filter, shows }).map((entry) => {
        const { name, signs: shown, changes: changed } = nodeEntrySchema.parse(entry);
        return [name, shown?.map(({ since }) => since), changed?.length];
      });
    const since = ['2026-11-21T09:58:59.000Z'];
    expect(told('signs')).toEqual([
      ['c/n1', since, undefined],
      ['c/n3', since, 1],
    ]);
    // What a stale row shows is not known of now, what changed stays true.
    expect(told('changes')).toEqual([
      ['c/n2', undefined, 1],
      ['c/n3', since, 1],
    ]);
    expect(told(undefined).map(([, ...more]) => more)).toEqual(
      zoned.map(() => [undefined, undefined]),
    );
  });

  test('say of each path by a protocol that is not probed why', () => {
    const store = makeStore();
    store.setNodes(zoned);
    const state = stateOf(zoned, { notProbed: [noPermission], snapshot: store.snapshot() });
    const entry = entryOf(state, 'c/n2');
    expect(entry?.paths.host.icmp).toMatchObject({ state: 'unknown', reason: noPermission.text });
    expect(entry?.paths.host.http?.reason).toBe('not probed yet');
  });

  test('that a finding of many stands for are broken, and only these', () => {
    const state = stateOf(zoned, { findings: [downMany], standsFor: () => down(2, 3) });
    expect(entriesOf(state, filter).map(({ verdict }) => verdict)).toEqual([
      'ok',
      'broken',
      'broken',
      'ok',
    ]);
    expect(entriesOf(state, { ...filter, state: 'broken' }).map(({ name }) => name)).toEqual([
      'c/n2',
      'c/n3',
    ]);
  });

  test('of a group with a finding are broken, and only these, and have their labels', () => {
    const labelled = zoned.map((node, at) => ({ ...node, labels: { rack: `r${at % 2}` } }));
    const group = { label: 'rack', value: 'r1', nodes: 2 };
    const cause = { ...broken, type: 'group', names: ['rack', 'r1'] } as const;
    const state = stateOf(labelled, {
      groupBy: ['zone', 'rack'],
      findings: [{ id: 'g', kind: 'group', severity: 'broken', group }] as never,
      standsFor: () => [{ ...cause, nodes: ['c/n2', 'c/n4'] }],
    });
    const entries = entriesOf(state, filter);
    expect(entries.map(({ verdict }) => verdict)).toEqual(['ok', 'broken', 'ok', 'broken']);
    expect(entries.map(({ findings }) => findings)).toEqual([undefined, ['g'], undefined, ['g']]);
    expect(entries[0]).not.toHaveProperty('labels');
    const entry = nodeEntrySchema.parse(runAtOnce(nodeEntry(state, 'n2')));
    expect(entry.labels).toEqual({ zone: entry.zone, rack: 'r1' });
    expect(summaryBody(state).groupBy).toEqual(['zone', 'rack']);
  });

  test('have the ids of the findings of many that they are a part of', () => {
    const causes: Record<string, readonly NamedCause[]> = {
      nodes: down(1, 3),
      pairs: [
        { ...broken, type: 'pair', names: ['c/n1', 'c/n2'] },
        { ...broken, type: 'pair', names: ['c/n4', 'c/n1'] },
      ],
      zones: [{ ...broken, type: 'zones', names: ['b', 'z'] }],
      one: [],
    };
    const findings = Object.keys(causes).map((id) => ({ id, kind: id, severity: 'broken' }));
    const state = stateOf(zoned, {
      findings: findings as never,
      standsFor: ({ id }) => causes[id] ?? [],
    });
    const entries = entriesOf(state, filter).map((entry) => nodeEntrySchema.parse(entry));
    expect(entries.map((entry) => entry.findings)).toEqual([
      ['nodes', 'pairs'],
      ['pairs'],
      ['nodes', 'zones'],
      ['pairs', 'zones'],
    ]);
    expect(entriesOf(stateOf(zoned), filter)[0]).not.toHaveProperty('findings');
  });

  test('have the own paths, who sees them, and a verdict', () => {
    const rows = [fresh(rowOf('c/n1')), fresh(rowOf('c/n2', [failing('c/n3')]))];
    const entry = entryOf(stateOf(zoned, { rows }), 'n3');
    expect(nodeEntrySchema.parse(entry)).toMatchObject({
      name: 'c/n3',
      zone: 'b',
      lifecycle: { phase: 'active' },
      verdict: 'unknown',
      paths: { host: { icmp: { state: 'reachable', rttNs: 200_000 } } },
      seenBy: { reachable: 1, unreachable: 1, of: 2 },
    });
  });

  test('do not count an observer for itself, nor a stale row', () => {
    const rows = [fresh(rowOf('c/n1')), staleRow(rowOf('c/n2'))];
    const state = stateOf(zoned, { rows });
    expect(entryOf(state, 'c/n1')?.seenBy).toEqual({ reachable: 0, unreachable: 0, of: 0 });
    expect(entryOf(state, 'c/n2')?.seenBy).toEqual({ reachable: 1, unreachable: 0, of: 1 });
  });

  test('are not counted as reached by observers whose rows have no room for them', () => {
    const nodes = Array.from({ length: 20 }, (_, index) => nodeOf(index + 1));
    const byHash = nodes
      .filter(({ name }) => name !== 'c/n2')
      .sort((a, b) => nameHash(a.name) - nameHash(b.name));
    const [first, second, ...others] = byHash.map(({ name }) => name);
    const lossy = failing(second ?? '', { state: 'lossy' });
    const row = rowOf('c/n2', [failing(first ?? ''), lossy], { omittedNodes: 3 });
    const state = stateOf(nodes, { rows: [fresh(row)] });
    const seenBy = (name: string | undefined) => entryOf(state, name ?? '')?.seenBy;
    expect(seenBy(first)).toEqual({ reachable: 0, unreachable: 1, of: 1 });
    expect(seenBy(second)).toEqual({ reachable: 1, unreachable: 0, of: 1 });
    expect(seenBy(others.at(-1))).toEqual({ reachable: 0, unreachable: 0, of: 1 });
    expect(seenBy('c/n2')).toEqual({ reachable: 0, unreachable: 0, of: 0 });
  });

  test('are not counted as reached by observers that may not know them', () => {
    const list = listOf(zoned.slice(0, 3).map(({ name }) => nameHash(name)));
    const state = stateOf(zoned, { rows: [fresh(rowOf('c/n2', [failing('c/n1')], { list }))] });
    expect(entryOf(state, 'c/n4')?.seenBy).toEqual({ reachable: 0, unreachable: 0, of: 1 });
    expect(entryOf(state, 'c/n1')?.seenBy).toEqual({ reachable: 0, unreachable: 1, of: 1 });
  });

  test('that are broken are not counted as reached by who looked last before they broke', () => {
    const nodes = Array.from({ length: 5 }, (_, index) => nodeOf(index + 1));
    const rows = [
      fresh(rowOf('c/n1', [failing('c/n5')]), 1000),
      fresh(rowOf('c/n2'), 10_000),
      fresh(rowOf('c/n3'), 40_000),
      fresh(rowOf('c/n4', [failing('c/n5', { state: 'lossy' })]), 40_000),
    ];
    const since = new Date(at - 20_000).toISOString();
    const findings = (more: object) => [{ node: 'c/n5', since, ...more } as never];
    const seenBy = (severity: string) => {
      const state = stateOf(nodes, { rows, findings: findings({ severity }) });
      return entryOf(state, 'c/n5')?.seenBy;
    };
    expect(seenBy('degraded')).toEqual({ reachable: 3, unreachable: 1, of: 4 });
    expect(seenBy('broken')).toEqual({ reachable: 2, unreachable: 1, of: 4 });
  });

  test('are counted by the own row of this agent, however many nodes fail', () => {
    const nodes = Array.from({ length: 20 }, (_, index) => nodeOf(index + 1));
    const others = nodes.slice(1).map(({ name }) => failing(name));
    const rows = [fresh(rowOf('c/n1', others))];
    const entries = entriesOf(stateOf(nodes, { rows }), filter);
    const failed = entries.filter(({ seenBy }) => seenBy.unreachable === 1);
    expect(failed).toHaveLength(19);
  });

  test('get their verdict from the worst finding about them', () => {
    const finding = (severity: string) => ({ node: 'c/n2', severity }) as never;
    const findings = [finding('broken'), finding('degraded')];
    expect(entryOf(stateOf(zoned, { findings }), 'c/n2')?.verdict).toBe('broken');
    const rows = [fresh(rowOf('c/n1')), fresh(rowOf('c/n2', [failing('c/n3')]))];
    const about = (more: object) => {
      const open = [{ severity: 'broken', ...more } as never];
      return entryOf(stateOf(zoned, { rows, findings: open }), 'c/n3')?.verdict;
    };
    expect(about({ node: 'c/n4' })).toBe('unknown');
    expect(about({ pair: ['c/n1', 'c/n2'] })).toBe('unknown');
    expect(about({ pair: ['c/n2', 'c/n3'] })).toBe('degraded');
    expect(about({ zones: ['a', 'b'] })).toBe('degraded');
    expect(about({ kind: 'zones', zones: ['a'] })).toBe('degraded');
    expect(about({ plane: 'host' })).toBe('degraded');
    expect(about({ target: 'dns' })).toBe('unknown');
  });

  test('are degraded behind a cut of zones, also where no row has room to name them', () => {
    const rows = zoned.map(({ name }) => fresh(rowOf(name)));
    const verdicts = (more: object) => {
      const cut = { kind: 'zones', severity: 'broken', ...more } as never;
      const entries = entriesOf(stateOf(zoned, { rows, findings: [cut] }), filter);
      return entries.map(({ verdict }) => verdict).join(' ');
    };
    const [both, outbound] = ['both', 'outbound'];
    expect(verdicts({ zones: ['a', 'b'], direction: both })).toBe(
      'degraded degraded degraded degraded',
    );
    expect(verdicts({ zones: ['a', 'b'], direction: outbound })).toBe('ok ok degraded degraded');
    expect(verdicts({ zones: ['b'] })).toBe('ok ok degraded degraded');
    expect(verdicts({ zones: ['b'], direction: outbound })).toBe('ok ok ok ok');
  });

  test('are filtered and cut to a page in the order of their names', () => {
    const state = stateOf([...zoned, nodeOf(10)]);
    const names = (more: object) =>
      entriesOf(state, { ...filter, ...more }).map(({ name }) => name);
    expect(names({})).toEqual(['c/n1', 'c/n10', 'c/n2', 'c/n3', 'c/n4']);
    expect(names({ afterName: 'c/n10', limit: 2 })).toEqual(['c/n2', 'c/n3']);
    expect(names({ zone: 'b' })).toEqual(['c/n3', 'c/n4']);
    expect(names({ name: 'n1' })).toEqual(['c/n1', 'c/n10']);
    expect(names({ state: 'broken' })).toEqual([]);
  });

  test('say what the cluster knows of a node, and expect it all the same', () => {
    const sinceAt = Date.parse('2026-01-31T14:02:07Z');
    const lost = nodeOf(2, { condition: { name: 'NotReady', sinceAt } });
    const [own, entry] = entriesOf(stateOf([nodeOf(1), lost]), filter);
    expect(nodeEntrySchema.parse(entry)).toMatchObject({
      known: 'Kubernetes: NotReady since 2026-01-31T14:02:07Z',
      lifecycle: { phase: 'active' },
    });
    expect(own).not.toHaveProperty('known');
  });

  test('are not found under a name of another cluster', () => {
    expect(entryOf(stateOf(zoned), 'other/n1')).toBeUndefined();
  });
});
