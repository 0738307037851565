import { describe, expect, test } from 'vitest';
import type { Sample } from '../../../../agent/model/sample.js';
import { firstSweepCheck, peersCheck } from '../../../../agent/selfcheck/mesh-checks.js';
import { runAtOnce } from '../../../../agent/platform/time-slices.js';
import { countPeers } from '../../../../agent/selfcheck/peers.js';
import { FakeClock } from '../probing/fake-clock.js';
import { answered, lost, makeStore } from '../../../rows/make-store.js';

const signal = new AbortController().signal;
const node = (name: string, host: string[]) => ({ name: `c/${name}`, host, endpoint: [] });

describe('the peers check', () => {
  function create() {
    const clock = new FakeClock();
    const none: string[] = [];
    const counts = { active: 0, reachedOnce: 0, reachable: 0 };
    const peers = { ...counts, neverReached: none, unreachable: none };
    let swept = true;
    let settling = false;
    const check = peersCheck({
      clock,
      readinessWindowMs: 60_000,
      isSwept: () => swept,
      isSettling: () => settling,
      peersReached: () => Promise.resolve(peers),
    });
    const settle = (is: boolean) => (settling = is);
    return { clock, peers, settle, unsweep: () => (swept = false), look: () => check.run(signal) };
  }

  test('waits for the first sweep', async () => {
    const { look, unsweep } = create();
    unsweep();
    expect(await look()).toMatchObject({ ok: false });
  });

  test('keeps what it found last while the process settles after it stood still', async () => {
    const { clock, peers, settle, look } = create();
    clock.stall(60_000);
    const found = { active: 1, reachedOnce: 1, reachable: 1, unreachable: [] };
    Object.assign(peers, found);
    const before = await look();
    expect(before.ok).toBe(true);
    settle(true);
    Object.assign(peers, { ...found, reachable: 0, unreachable: ['c/a'] });
    expect(await look()).toEqual(before);
    settle(false);
    expect(await look()).toEqual({ ok: false, message: '0 of 1 reachable, not c/a' });
  });

  test('is well without peers, young or old', async () => {
    const { clock, look } = create();
    expect(await look()).toEqual({ ok: true, message: 'there are none' });
    clock.stall(100_000);
    expect(await look()).toMatchObject({ ok: true });
  });

  test('needs every active peer to be reached once within the window', async () => {
    const { clock, peers, look } = create();
    Object.assign(peers, { active: 3, reachedOnce: 2, reachable: 2, neverReached: ['c/b'] });
    clock.stall(59_000);
    expect(await look()).toEqual({
      ok: false,
      message: '2 of 3 reached since the start, 1 s left to wait for c/b',
    });
    Object.assign(peers, { reachedOnce: 3, reachable: 1 });
    expect(await look()).toMatchObject({ ok: true });
  });

  test('needs one reachable peer after the window', async () => {
    const { clock, peers, look } = create();
    clock.stall(60_000);
    const unreachable = ['c/a', 'c/b', 'c/d'];
    Object.assign(peers, { active: 9, reachedOnce: 1, reachable: 1, unreachable });
    const missing = 'not c/a, c/b, c/d and';
    expect(await look()).toEqual({ ok: true, message: `1 of 9 reachable, ${missing} 5 more` });
    Object.assign(peers, { reachable: 0 });
    expect(await look()).toEqual({ ok: false, message: `0 of 9 reachable, ${missing} 6 more` });
    Object.assign(peers, { reachable: 9 });
    expect(await look()).toEqual({ ok: true, message: '9 of 9 reachable' });
  });
});

describe('the first-sweep check', () => {
  test('is well once there is a list and every path was probed', () => {
    let [listed, swept] = [false, false];
    const base = { protocol: 'http' as const, overdueMs: 0, notSentInARow: 0, notSent: undefined };
    const check = firstSweepCheck({
      isListed: () => listed,
      stats: () => [
        { ...base, paths: 2, probed: 1 },
        { ...base, protocol: 'icmp', paths: 2, probed: 2 },
      ],
      isSwept: () => swept,
    });
    expect(check.run(signal)).toMatchObject({ ok: false });
    listed = true;
    expect(check.run(signal)).toEqual({
      ok: false,
      message: '1 of 2 paths probed by http, 2 of 2 paths probed by icmp',
    });
    swept = true;
    expect(check.run(signal)).toMatchObject({ ok: true });
  });
});

describe('countPeers', () => {
  function create() {
    const store = makeStore();
    const { added } = store.setNodes([
      node('self', ['10.0.0.1']),
      node('a', ['10.0.0.2', '10.0.0.3']),
      node('b', ['10.0.0.4']),
      node('bare', []),
    ]);
    const record = (ip: string, protocol: 'icmp' | 'http', sample: Sample) => {
      const path = added.find((path) => path.ip === ip);
      if (path) store.record(path, protocol, sample);
    };
    return { store, record };
  }

  const countIn = (store: ReturnType<typeof makeStore>) =>
    runAtOnce(countPeers(store.paths.nodeSummaries(), 'c/self'));

  test('counts every other node with an address as an active peer', () => {
    expect(countIn(create().store)).toEqual({
      active: 2,
      reachedOnce: 0,
      reachable: 0,
      neverReached: ['c/a', 'c/b'],
      unreachable: ['c/a', 'c/b'],
    });
  });

  test('does not count nodes that are not active', () => {
    const { store } = create();
    store.setNodes([
      { ...node('a', ['10.0.0.2']), lifecycle: { phase: 'active' } },
      { ...node('b', ['10.0.0.4']), lifecycle: { phase: 'excluded', reason: 'cordoned' } },
      { ...node('d', ['10.0.0.5']), lifecycle: { phase: 'joining' } },
    ]);
    expect(countIn(store).active).toBe(1);
  });

  test('counts a peer as reached after one reply by any path and protocol, even if it fails later', () => {
    const { store, record } = create();
    record('10.0.0.1', 'http', answered);
    record('10.0.0.3', 'icmp', answered);
    const reached = {
      active: 2,
      reachedOnce: 1,
      reachable: 1,
      neverReached: ['c/b'],
      unreachable: ['c/b'],
    };
    expect(countIn(store)).toEqual(reached);
    record('10.0.0.3', 'icmp', lost);
    expect(countIn(store)).toEqual({
      ...reached,
      reachable: 0,
      unreachable: ['c/a', 'c/b'],
    });
  });
});
