import { describe, expect, test, vi } from 'vitest';
import type { Degradation } from '../../../../agent/model/path-state.js';
import { timeout, type Protocol, type Sample } from '../../../../agent/model/sample.js';
import type { Transition } from '../../../../agent/results/result-store.js';
import { answered, listIn, lost, makeStore as makeAnyStore } from '../../../rows/make-store.js';

const node = (name: string, host: string[], endpoint: string[] = []) => ({ name, host, endpoint });
const reply: Sample = { ...answered, rttNs: 5 };

/** Three failures in a row make a path unreachable, and two answers reachable again. */
const makeStore = (options: Parameters<typeof makeAnyStore>[0] = {}) =>
  makeAnyStore({ each: { failures: 3, recovery: 2 }, ...options });

function createStore() {
  const transitions: Transition[] = [];
  const store = makeStore();
  store.onTransition((transition) => transitions.push(transition));
  return { store, transitions };
}

describe('ResultStore', () => {
  test('takes flows that never pass for losses by HTTP, until they pass again', () => {
    let nowMs = 0;
    const clock = { nowMs: () => nowMs, wallMs: () => nowMs };
    const store = makeStore({ clock });
    const [path, other = path] = listIn(store, node('c/a', ['10.0.0.1'], ['10.1.0.1']));
    for (const answering of [path, other])
      for (const protocol of ['icmp', 'http'] as const) store.record(answering, protocol, reply);
    const lossy = () => {
      const found: string[] = [];
      store.paths.visitPrimaryPaths(({ plane }, protocol, _, { isLossy }) => {
        if (isLossy) found.push(`${plane} ${protocol}`);
      });
      const [view] = store.snapshot().nodes;
      expect(view?.host[0]?.http.summary.isLossy).toBe(found.includes('host http'));
      return found;
    };
    expect(lossy()).toEqual([]);
    store.setSticky(path, 1000);
    expect(lossy()).toEqual(['host http']);
    store.setSticky({ ...path, ip: '10.0.0.9' }, 9000);
    store.setSticky({ ...path, node: 'c/gone' }, 9000);
    nowMs = 1000;
    store.record(path, 'http', reply);
    expect(lossy()).toEqual([]);
    store.setSticky(path, 9000);
    store.setNodes([]);
    store.setNodes([node('c/a', ['10.0.0.1'])]);
    expect(lossy()).toEqual([]);
  });

  test('knows nothing of a path whose last answer is too old, wherever it is read', () => {
    let [nowMs, holdsMs] = [1, 11_000];
    let wallOffsetMs = 500_000;
    const clock = { nowMs: () => nowMs, wallMs: () => wallOffsetMs + nowMs };
    const store = makeStore({ clock, answerHoldsMs: () => holdsMs });
    const nodes = [node('c/a', ['10.0.0.1']), node('c/b', ['10.0.0.2'])];
    const [path, other = path] = listIn(store, ...nodes);
    store.record(path, 'http', { ...reply, at: 500_001 });
    store.record(other, 'http', reply);
    const states = () => {
      const visited: string[] = [];
      store.paths.visitPrimaryPaths(({ node: name }, protocol, { state }) => {
        if (name === 'c/a' && protocol === 'http') visited.push(state);
      });
      const { nodes: views, counts } = store.snapshot();
      expect(counts.host.http.reachable + counts.host.http.unknown).toBe(2);
      const [summary] = store.paths.nodeSummaries();
      return new Set([
        ...visited,
        views[0]?.host[0]?.http.state.state,
        store.paths.historyOf('c/a')?.[0]?.view.http.state.state,
        [...store.paths.primaryStatesOf('c/a')][1],
        summary?.isReachable === true ? 'reachable' : 'unknown',
      ]);
    };
    nowMs = 11_001;
    store.record(other, 'http', { ...reply, sentMs: nowMs });
    expect([...states()]).toEqual(['reachable']);
    const [before, untouched] = store.snapshot().nodes;

    nowMs = 11_002;
    store.record(other, 'http', { ...reply, sentMs: nowMs });
    expect([...states()]).toEqual(['unknown']);
    const { nodes: views } = store.snapshot();
    expect(views[0]).not.toBe(before);
    expect(views[1]).not.toBe(untouched);
    // By the wall clock of that time, though it is set meanwhile.
    const since = { state: 'unknown', sinceMs: 1, sinceAt: 500_001, rttNs: undefined };
    expect(views[0]?.host[0]?.http.state).toMatchObject(since);
    wallOffsetMs -= 3_600_000;
    store.record(other, 'http', { ...reply, sentMs: nowMs });
    expect(store.paths.historyOf('c/a')?.[0]?.view.http.state).toMatchObject(since);

    // A sweep over more paths takes longer.
    const unsent = { outcome: 'not-sent', reason: 'no-descriptor', detail: 'x' } as const;
    holdsMs = 20_000;
    store.record(path, 'http', { ...unsent, sentMs: nowMs, at: nowMs });
    expect([...states()]).toEqual(['reachable']);
    nowMs = 90_000;
    store.record(path, 'http', { ...reply, sentMs: nowMs });
    expect([...states()]).toEqual(['reachable']);
  });

  test('knows nothing of paths that answered before the host was suspended', () => {
    const nowMs = 1000;
    const clock = { nowMs: () => nowMs, wallMs: () => nowMs };
    const store = makeStore({ clock, answerHoldsMs: () => 11_000 });
    const [path] = listIn(store, node('c/a', ['10.0.0.1']));
    store.record(path, 'icmp', reply);
    for (let failures = 0; failures < 3; failures++)
      store.record(path, 'http', { ...timeout, sentMs: nowMs, at: nowMs });
    const states = () => {
      const { icmp, http } = store.snapshot().nodes[0]?.host[0] ?? {};
      return [icmp?.state.state, http?.state.state];
    };
    expect(states()).toEqual(['reachable', 'unreachable']);
    store.noteSuspended(5000);
    expect(states()).toEqual(['reachable', 'unreachable']);
    store.noteSuspended(3_600_000);
    expect(states()).toEqual(['unknown', 'unreachable']);
    store.paths.visitPrimaryPaths((_, protocol, { sinceMs }) => {
      if (protocol === 'http') expect(nowMs - sinceMs).toBe(3_605_000);
    });
    store.record(path, 'icmp', { ...reply, sentMs: nowMs });
    expect(states()).toEqual(['reachable', 'unreachable']);
  });

  test('tells the usual hops of the primary path of each plane, and when they change', () => {
    const { store } = createStore();
    const changes: unknown[] = [];
    const stop = store.onHops((path, change) => changes.push({ ...path, ...change }));
    const dual = node('c/a', ['10.0.0.1', '10.0.0.2'], ['10.1.0.1']);
    const [host, second = host, endpoint = host] = listIn(store, dual);
    const answer = (ttl?: number): Sample => ({ ...reply, ...(ttl !== undefined && { ttl }) });
    const hops = () => [store.paths.hopsOf('c/a', 'host'), store.paths.hopsOf('c/a', 'endpoint')];
    store.record(host, 'icmp', answer());
    store.record(second, 'icmp', answer(50));
    store.record(endpoint, 'icmp', answer(60));
    expect(hops()).toEqual([undefined, 5]);
    expect(store.paths.primaryAddressOf('c/a', 'host')).toBe('10.0.0.1');
    expect(store.paths.primaryAddressOf('c/b', 'host')).toBeUndefined();
    store.record(host, 'icmp', answer(63));
    for (const ttl of [62, 62, 62]) store.record(host, 'icmp', answer(ttl));
    expect(changes).toEqual([{ ...host, before: 2, after: 3 }]);
    expect(hops()).toEqual([3, 5]);
    stop();
    for (const ttl of [61, 61, 61]) store.record(host, 'icmp', answer(ttl));
    expect(changes).toHaveLength(1);
    store.setNodes([]);
    store.setNodes([node('c/a', ['10.0.0.1'])]);
    expect([...hops(), store.paths.hopsOf('c/b', 'host')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('says which paths a node list added and removed, and keeps what is known of the others', () => {
    const { store } = createStore();
    const first = store.setNodes([
      node('c/a', ['10.0.0.1'], ['10.1.0.1']),
      node('c/b', ['10.0.0.2']),
    ]);
    expect(first.added.map(({ ip }) => ip)).toEqual(['10.0.0.1', '10.1.0.1', '10.0.0.2']);
    const [path] = first.added;
    if (path) store.record(path, 'icmp', reply);
    const second = store.setNodes([node('c/a', ['10.0.0.1', '10.0.0.9'])]);
    expect(second.added.map(({ ip }) => ip)).toEqual(['10.0.0.9']);
    expect(second.removed.map(({ ip }) => ip)).toEqual(['10.1.0.1', '10.0.0.2']);
    expect(store.snapshot().nodes[0]?.host[0]?.icmp.state.state).toBe('reachable');
  });

  test('takes a list in slices with the same result as at once, and records meanwhile', async () => {
    const { store } = createStore();
    const nodes = Array.from({ length: 20_000 }, (_, index) =>
      node(`c/n${index}`, [`10.${index >> 8}.${index & 255}.1`]),
    );
    const [path] = listIn(store, ...nodes.slice(0, 2));
    const taking = store.setNodesInSlices(nodes.slice(0, 1).concat(nodes.slice(2)));
    expect(store.record(path, 'icmp', reply)?.state).toBe('reachable');
    expect(store.snapshot().nodes.map(({ name }) => name)).toEqual(['c/n0', 'c/n1']);
    const { added, removed } = await taking;
    expect([added.length, removed.map(({ node }) => node)]).toEqual([19_998, ['c/n1']]);
    const { nodes: views } = await store.prepareSnapshot();
    expect([views.length, views[0]?.host[0]?.icmp.state.state]).toEqual([19_999, 'reachable']);
    expect(removed[0] && store.record(removed[0], 'icmp', reply)).toBeUndefined();
  });

  test('keeps the objects of nodes that a new list does not change', () => {
    const { store } = createStore();
    const nodes = [node('c/a', ['10.0.0.1']), node('c/b', ['10.0.0.2'])];
    store.setNodes(nodes);
    const [a, b] = store.snapshot().nodes;
    const left = { ...node('c/b', ['10.0.0.2']), lifecycle: { phase: 'leaving' } as const };
    store.setNodes([node('c/a', ['10.0.0.1']), left, node('c/c', ['10.0.0.3'])]);
    const views = store.snapshot().nodes;
    expect(views[0]).toBe(a);
    expect(views[1]).not.toBe(b);
    expect(views[1]?.lifecycle?.phase).toBe('leaving');
  });

  test('does not carry results over to another node that gets the same address', () => {
    const { store } = createStore();
    const [path] = listIn(store, node('c/a', ['10.0.0.1']));
    store.record(path, 'icmp', reply);
    store.setNodes([node('c/b', ['10.0.0.1'])]);
    expect(store.snapshot().nodes[0]?.host[0]?.icmp.state.state).toBe('unknown');
  });

  test('takes a node made anew under its name for another one, its address being the same', () => {
    const { store } = createStore();
    const first = { ...node('c/a', ['10.0.0.1']), incarnation: 'uid-1' };
    const [path] = store.setNodes([first]).added;
    if (path) store.record(path, 'icmp', reply);
    expect(store.setNodes([{ ...first }]).added).toEqual([]);
    const { added, removed } = store.setNodes([{ ...first, incarnation: 'uid-2' }]);
    expect([added.length, removed]).toEqual([1, [path]]);
    expect(store.snapshot().nodes[0]?.host[0]?.icmp.state.state).toBe('unknown');
  });

  test('says of a transition whether the node is expected to answer', () => {
    const { store, transitions } = createStore();
    const cordoned = { phase: 'excluded', reason: 'cordoned' } as const;
    const nodes = [node('c/a', ['10.0.0.1']), node('c/b', ['10.0.0.2'])];
    const { added } = store.setNodes([
      ...nodes,
      { ...node('c/c', ['10.0.0.3']), lifecycle: cordoned },
    ]);
    for (const path of added) store.record(path, 'icmp', reply);
    expect(transitions.map(({ isExpected }) => isExpected)).toEqual([true, true, false]);
    expect(store.snapshot().nodes[2]?.lifecycle).toEqual(cordoned);
    expect([...store.paths.nodeSummaries()].map(({ isActive }) => isActive)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('does not count losses before the first answer of a node', () => {
    const { store } = createStore();
    const [path] = listIn(store, node('c/a', ['10.0.0.1']));
    const nowMs = performance.now();
    store.record(path, 'http', { ...lost, sentMs: nowMs - 3 });
    store.record(path, 'http', { ...lost, sentMs: nowMs - 2 });
    store.record(path, 'http', { ...reply, sentMs: nowMs - 1 });
    // A probe that was sent before the first answer and lost later is no loss either.
    store.record(path, 'http', { ...lost, sentMs: nowMs - 2 });
    const summary = () => store.snapshot().nodes[0]?.host[0]?.http.summary;
    expect(summary()?.isLossy).toBe(false);
    store.record(path, 'http', { ...lost, sentMs: nowMs });
    store.record(path, 'http', { ...lost, sentMs: nowMs });
    expect(summary()?.isLossy).toBe(true);
  });

  test('calls a path slow if its RTT rose, and uses the RTT of the handshake if there is one', () => {
    const clock = { now: 1_700_000_000_000 };
    const store = makeStore({ clock: { nowMs: () => clock.now, wallMs: () => clock.now } });
    const [path] = listIn(store, node('c/a', ['10.0.0.1']));
    const echo = (rttNs: number): Sample => ({ ...reply, outcome: 'reply', rttNs });
    const get = (rttNs: number, tcpRttNs: number, synRetransmissions = 0): Sample => ({
      ...echo(rttNs),
      outcome: 'reply',
      rttNs,
      http: { connectNs: 1, firstByteNs: 1, tcpRttNs, synRetransmissions },
    });
    for (let i = 0; i < 130; i++) {
      store.record(path, 'icmp', echo(1e6));
      store.record(path, 'http', get(2e6, 1e6));
    }
    for (let i = 0; i < 25; i++) {
      store.record(path, 'icmp', echo(3e6));
      // A busy host lengthens the exchange only, and a lossy path loses SYNs. Neither makes the
      // path slow.
      store.record(path, 'http', i % 2 === 0 ? get(20e6, 1e6) : get(1e9, 5e6, 1));
    }
    const { nodes, counts } = store.snapshot();
    const { icmp, http } = nodes[0]?.host[0] ?? {};
    expect([icmp?.summary.isSlow, http?.summary.isSlow]).toEqual([true, false]);
    expect(counts.host.icmp).toMatchObject({ reachable: 1, degraded: 1 });
    const degradations = () => {
      const found: (Degradation & { readonly protocol: Protocol })[] = [];
      store.paths.visitPrimaryPaths((_, protocol, _state, one) => found.push({ protocol, ...one }));
      return found;
    };
    clock.now += 5000;
    const first = [
      { protocol: 'icmp', isLossy: false, isSlow: true, lost: 0, sinceMs: clock.now },
      { protocol: 'http', isLossy: false, isSlow: false, lost: 0, sinceMs: undefined },
    ];
    expect(degradations()).toEqual(first);
    // `sinceMs` is when the path was first seen to be slow, although it has been reachable for
    // longer.
    clock.now += 5000;
    expect(degradations()).toEqual(first);
    expect(counts.host.http).toMatchObject({ reachable: 1, degraded: 0 });
  });

  test('tells every listener about a transition until the listener is removed', () => {
    const { store, transitions } = createStore();
    const others: Transition[] = [];
    const takeOff = store.onTransition((transition) => others.push(transition));
    const { added } = store.setNodes([node('c/a', ['10.0.0.1'], ['10.1.0.1'])]);
    if (added[0]) store.record(added[0], 'icmp', reply);
    takeOff();
    if (added[1]) store.record(added[1], 'icmp', reply);
    expect([transitions.length, others.length]).toEqual([2, 1]);
    expect(others[0]?.path).toBe(added[0]);
  });

  test('has the plan, the probes so far and the primary paths to active nodes in a snapshot', () => {
    const { store } = createStore();
    const leaving = { phase: 'leaving' } as const;
    const { added } = store.setNodes([
      node('c/a', ['10.0.0.1', '10.0.1.1'], ['10.1.0.1']),
      node('c/b', ['10.0.0.2']),
      node('c/c', ['10.0.0.3']),
      { ...node('c/d', ['10.0.0.4']), lifecycle: leaving },
    ]);
    const plan = { http: { paths: 6, intervalMs: 1000, timeToDetectMs: 1500 } };
    store.setPlan(plan);
    for (const path of added) {
      const isDead = path.node === 'c/b';
      for (let i = 0; i < 3; i++) store.record(path, 'http', isDead ? lost : reply);
    }
    const { counts, probes, ...snapshot } = store.snapshot();
    expect(snapshot.plan).toEqual(plan);
    const none = { reachable: 0, unreachable: 0, unknown: 0, lossy: 0, slow: 0, degraded: 0 };
    expect(counts.host.http).toEqual({ ...none, reachable: 2, unreachable: 1 });
    expect(counts.host.icmp).toEqual({ ...none, unknown: 3 });
    expect(counts.endpoint.http).toEqual({ ...none, reachable: 1 });
    expect(probes.host.http.outcomes).toMatchObject({ reply: 12, failure: 3 });
    expect(probes.endpoint.http.rtt).toMatchObject({ count: 3, sumNs: 15 });
  });

  test('drops a sample of a path that is no longer listed', () => {
    const { store } = createStore();
    const [path] = store.setNodes([node('c/a', ['10.0.0.1'])]).added;
    store.setNodes([]);
    expect(path && store.record(path, 'icmp', reply)).toBeUndefined();
  });

  test('forgets views that nobody has read for a while, and makes them again', () => {
    vi.useFakeTimers();
    try {
      const store = makeStore({ viewsKeptMs: 1000 });
      const [path] = listIn(store, node('c/a', ['10.0.0.1']));
      store.record(path, 'http', reply);
      const first = store.snapshot();
      vi.advanceTimersByTime(900);
      expect(store.snapshot()).toBe(first);
      vi.advanceTimersByTime(900);
      expect(store.snapshot()).toBe(first);
      vi.advanceTimersByTime(1100);
      const second = store.snapshot();
      expect(second.nodes[0]).not.toBe(first.nodes[0]);
      expect(second.generation).toBe(first.generation + 1);
      expect(second.nodes).toEqual(first.nodes);
    } finally {
      vi.useRealTimers();
    }
  });

  test('gives the same snapshot until something changes, then a newer one; old ones never change', () => {
    const { store } = createStore();
    const { added } = store.setNodes([node('c/a', ['10.0.0.1']), node('c/b', ['10.0.0.2'])]);
    const before = store.snapshot();
    expect(store.snapshot()).toBe(before);
    if (added[0]) store.record(added[0], 'http', reply);
    const after = store.snapshot();
    expect(after.generation).toBe(before.generation + 1);
    expect(before.nodes[0]?.host[0]?.http.state.state).toBe('unknown');
    expect(after.nodes[0]?.host[0]?.http.state.state).toBe('reachable');
    expect(after.nodes[1]).toBe(before.nodes[1]);
    expect(Object.isFrozen(after) && Object.isFrozen(after.nodes)).toBe(true);
  });

  test('reports each change of state once', () => {
    const { store, transitions } = createStore();
    const [path] = listIn(store, node('c/a', ['10.0.0.1']));
    for (let i = 0; i < 3; i++) store.record(path, 'icmp', reply);
    expect(transitions.map(({ after }) => after.state)).toEqual(['reachable']);
  });
});
