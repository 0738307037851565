import { describe, expect, it } from 'vitest';
import { nameHash } from '../../../agent/model/name-hash.js';
import type { Row } from '../../../agent/model/row.js';
import type { FaultKind, Subject } from '../../faults/fault.js';
import { zoneKinds } from '../../faults/group-kinds.js';
import { nodeKinds } from '../../faults/node-kinds.js';
import { layoutOf } from '../diagnosis/scenarios/random-layout.js';
import type { RoundPlan } from '../timeline/round-plan.js';
import { GeneratedRows } from './generated-rows.js';
import { SizeWorld } from './size-world.js';

const [beginMs, endMs] = [10_000, 80_000];
const layout = layoutOf(1000, 3, (node) => node % 3);

function rowsOf(
  kind: FaultKind,
  subject: Subject,
  restarts: RoundPlan['restarts'] = [],
  lossShare = 0,
  overMs = endMs,
): (observer: number, atMs: number) => Row {
  const fault = kind.make(layout, subject, lossShare);
  return rowsWith([{ fault, beginMs, endMs: overMs }], restarts);
}

function rowsWith(
  faults: RoundPlan['faults'],
  restarts: RoundPlan['restarts'] = [],
): (observer: number, atMs: number) => Row {
  const world = new SizeWorld({
    seed: 7,
    layout,
    faults,
    restarts,
    targetHosts: undefined,
    watched: [],
    endMs,
  });
  const rows = new GeneratedRows(world);
  return (observer, atMs) => {
    const process = world.processes.at(observer, atMs);
    if (!process) throw new RangeError(`expected an agent on node ${observer} at ${atMs} ms`);
    return rows.sent(observer, process, atMs).row;
  };
}

const node = (number: number): Subject => ({ type: 'node', node: number });

describe('the rows of 1,000 agents', () => {
  it('tell of a dead node when they saw it, and no more when they saw it come back', () => {
    const row = rowsOf(nodeKinds.off, node(500));
    const failing = (atMs: number) =>
      Array.from({ length: 400 }, (_, observer) => row(observer, atMs)).filter(
        ({ paths }) => paths.length === 4 && paths.every(({ failure }) => failure === 'timeout'),
      ).length;
    expect(failing(beginMs + 1000)).toBe(0);
    expect(failing(beginMs + 10_000)).toBe(400);
    const told = row(3, beginMs + 10_000);
    expect(told.counts.host.icmp).toEqual({
      reachable: 999,
      unreachable: 1,
      unknown: 0,
      degraded: 0,
    });
    expect(told.zones.find(({ zone }) => zone === 'zone-c')?.paths).toBe(332);
    expect(failing(endMs + 1000)).toBeGreaterThan(0);
    expect(failing(endMs + 60_000)).toBe(0);
    expect(row(3, endMs + 60_000).paths).toEqual([]);
  });

  it('say that the agents refuse connections while the host boots', () => {
    const row = rowsOf(nodeKinds.agentGone, node(500));
    const { paths } = row(3, beginMs + 30_000);
    expect(paths.map(({ plane, protocol, failure }) => [plane, protocol, failure])).toEqual([
      ['host', 'http', 'refused'],
    ]);
  });

  it('say that a path fails for as long as it does, though it fails in another way since', () => {
    const changedMs = 70_000;
    const faults = [
      { fault: nodeKinds.agentGone.make(layout, node(500), 0), beginMs, endMs: changedMs },
      { fault: nodeKinds.hostPlane.make(layout, node(500), 0), beginMs: changedMs, endMs: 200_000 },
    ];
    const [echo, get] = rowsWith(faults)(3, 190_000).paths;
    expect([echo?.failure, get?.failure]).toEqual(['timeout', 'timeout']);
    expect((get?.ageSeconds ?? 0) - (echo?.ageSeconds ?? 0)).toBeGreaterThan(50);
  });

  it('name 64 of the nodes of a zone that is cut off, those of the lowest hash, and count the others', () => {
    const row = rowsOf(zoneKinds.cutOff, { type: 'zone', zone: 1 });
    const { paths, omittedNodes, counts } = row(0, endMs - 1000);
    const named = new Set(paths.map((path) => path.node));
    const zone = layout.names.filter((_, at) => at % 3 === 1);
    const lowest = zone.sort((a, b) => nameHash(a) - nameHash(b)).slice(0, 64);
    expect(named).toEqual(new Set(lowest));
    expect(omittedNodes).toBe(zone.length - 64);
    expect(counts.endpoint.http.unreachable).toBe(zone.length);
  });

  it('say of a node whose requests are answered no more that its own still come', () => {
    const row = rowsOf(nodeKinds.requestsTo, node(500));
    const told = Array.from({ length: 100 }, (_, observer) => row(observer, endMs - 1000));
    expect(told.every(({ heard }) => heard?.includes('c/n501'))).toBe(true);
    const off = rowsOf(nodeKinds.off, node(500));
    expect(off(3, endMs - 1000).heard).toBeUndefined();
  });

  it('tell of losses once a path lost enough probes, and count such paths among those that answer', () => {
    const row = rowsOf(nodeKinds.loss, node(500), [], 0.1, 300_000);
    const lossy = (atMs: number) =>
      Array.from({ length: 100 }, (_, observer) => row(observer, atMs)).filter(({ paths }) =>
        paths.some(({ state }) => state === 'lossy'),
      );
    expect(lossy(beginMs + 1000)).toEqual([]);
    const told = lossy(290_000);
    expect(told.length).toBeGreaterThan(80);
    expect(told.some(({ counts }) => counts.host.icmp.degraded === 1)).toBe(true);
    expect(
      told.every(({ counts: { host } }) => host.icmp.reachable + host.icmp.unreachable === 1000),
    ).toBe(true);
  });

  it('know nothing of the paths that an agent has not probed since its start', () => {
    const row = rowsOf(nodeKinds.off, node(500), [{ node: 3, atMs: 20_000, awayMs: 1000 }]);
    const started = row(3, 22_000);
    expect(started.counts.host.http.unknown).toBeGreaterThan(500);
    expect(started.omittedNodes).toBeGreaterThan(500);
    const swept = row(3, 40_000);
    expect(swept.counts.host.http).toEqual({
      reachable: 999,
      unreachable: 1,
      unknown: 0,
      degraded: 0,
    });
  });
});
