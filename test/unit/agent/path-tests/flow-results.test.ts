import { describe, expect, test } from 'vitest';
import type { FlowVerdict } from '../../../../agent/path-tests/flows/flow-counts.js';
import { FlowResults, type FlowPath } from '../../../../agent/path-tests/flows/flow-results.js';
import { Returns } from '../../../../agent/path-tests/flows/returns.js';
import {
  testNext,
  type FlowTesterOptions,
} from '../../../../agent/path-tests/flows/flow-tester.js';

const path: FlowPath = { node: 'c/n1', plane: 'host' };
const other: FlowPath = { node: 'c/n2', plane: 'endpoint' };
const minuteMs = 60_000;
const sticky: FlowVerdict = {
  result: 'sticky',
  tried: 64,
  failing: 2,
  ports: [33_000, 33_001],
  sometimes: 0,
};

/** A tester at a time that the test sets, and the addresses that it tested. */
function tester(verdict: FlowVerdict | undefined = sticky) {
  const tested: string[] = [];
  const state = { ms: 0, lossy: [path] as readonly FlowPath[], nodes: 0 };
  const options: FlowTesterOptions = {
    results: new FlowResults(() => 0.5),
    clock: { nowMs: () => state.ms, wallMs: () => 1_000_000 + state.ms },
    lossyPaths: () => state.lossy,
    nodes: () => state.nodes,
    addressOf: ({ node }) => (node === 'c/gone' ? undefined : `ip of ${node}`),
    test: (ip) => {
      tested.push(ip);
      return Promise.resolve(verdict);
    },
    onResult: () => undefined,
  };
  const at = async (ms: number) => {
    state.ms = ms;
    await testNext(options, new AbortController().signal);
    return tested.splice(0);
  };
  const of = (ip = 'ip of c/n1') => options.results.of(path, ip, state.ms);
  return { state, at, of };
}

describe('paths that come and go', () => {
  test('are those that came back twice in ten minutes', () => {
    const returns = new Returns();
    returns.note(path, 0);
    returns.note(other, minuteMs);
    expect([...returns.paths(minuteMs)]).toEqual([]);
    returns.note(path, 9 * minuteMs);
    expect([...returns.paths(9 * minuteMs)]).toEqual([path]);
    expect([...returns.paths(10 * minuteMs)]).toEqual([]);
    returns.note(other, 12 * minuteMs);
    expect([...returns.paths(12 * minuteMs)]).toEqual([]);
  });
});

describe('the flows of a path that loses probes', () => {
  test('are tested at once, then once in ten minutes while it does', async () => {
    const { at, of } = tester();
    expect(await at(0)).toEqual(['ip of c/n1']);
    expect(of()).toMatchObject({ ...sticky, testedAt: 1_000_000 });
    expect(await at(9 * minuteMs)).toEqual([]);
    expect(await at(10 * minuteMs)).toEqual(['ip of c/n1']);
  });

  test('are not tested again soon after it lost none for a while', async () => {
    const { state, at } = tester();
    await at(0);
    state.lossy = [];
    await at(minuteMs);
    state.lossy = [path];
    expect(await at(2 * minuteMs)).toEqual([]);
    expect(await at(10 * minuteMs)).toHaveLength(1);
  });

  test('are tested one path at a time, the one that waits longest first', async () => {
    const { state, at } = tester();
    state.lossy = [path, other];
    expect(await at(0)).toEqual(['ip of c/n1']);
    expect(await at(1)).toEqual(['ip of c/n2']);
    expect(await at(2)).toEqual([]);
  });

  test('are not tested by all agents at the same moment', async () => {
    const { state, at } = tester();
    state.nodes = 5000;
    // Half of the random time over which 5,000 agents send 1,000 SYNs a second to one address.
    expect(await at(0)).toEqual([]);
    expect(await at(479_999)).toEqual([]);
    expect(await at(480_000)).toHaveLength(1);
  });

  test('are forgotten with time, with the address, and with the path', async () => {
    const { state, at, of } = tester();
    await at(0);
    expect(of('another')).toBeUndefined();
    state.ms = 20 * minuteMs - 1;
    expect(of()).toBeDefined();
    state.ms = 20 * minuteMs;
    expect(of()).toBeUndefined();
    state.lossy = [];
    await at(11 * minuteMs);
    expect(of()).toBeUndefined();
  });

  test('are unknown where the test could not be made or the node has gone', async () => {
    const none = tester();
    none.state.lossy = [{ node: 'c/gone', plane: 'host' }];
    expect(await none.at(0)).toEqual([]);
    const options = tester();
    expect(options.of()).toBeUndefined();
  });
});
