import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { historySchema } from '../../../../api/schema/history.js';
import type { Sample } from '../../../../agent/model/sample.js';
import { historyBytesPerPath } from '../../../../agent/results/probe-history.js';
import { createHistorySource } from '../../../../agent/reports/history-body.js';
import { answered, listIn, lost, makeStore } from '../../../rows/make-store.js';

const noon = Date.parse('2026-11-21T12:00:00Z');

beforeEach(() => void vi.useFakeTimers({ now: noon, toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A store with one node of two paths, and the history of that node. */
function createHistory() {
  const store = makeStore({ each: { failures: 3, recovery: 2 } });
  const node = { name: 'main/a', host: ['192.0.2.1'], endpoint: ['10.0.0.1'] };
  const [host, endpoint = host] = listIn(store, node);
  return { store, host, endpoint, history: createHistorySource(store, 'main') };
}

const when = () => ({ sentMs: performance.now(), at: Date.now() });
const reply = (rttNs: number, tainted = false): Sample => ({
  ...answered,
  ...when(),
  rttNs,
  tainted,
});
const failure = (detail: string): Sample => ({ ...lost, ...when(), kind: 'unreachable', detail });

describe('the body of a history', () => {
  test('finds a node by its full name and by its bare one in the own cluster, and no other', () => {
    const { history } = createHistory();
    expect(history('main/a')?.node).toBe('main/a');
    expect(history('a')?.node).toBe('main/a');
    expect([history('b'), history('other/a')]).toEqual([undefined, undefined]);
  });

  test('has every kept sample with its RTT or the words of its failure, the tainted ones marked', () => {
    const { store, host, history } = createHistory();
    store.record(host, 'icmp', reply(5000));
    vi.advanceTimersByTime(1000);
    store.record(host, 'icmp', reply(90_000_000, true));
    vi.advanceTimersByTime(1000);
    store.record(host, 'icmp', failure('no route to host'));
    const body = historySchema.parse(history('a'));
    expect(body.paths[0]?.icmp?.samples).toEqual([
      { at: '2026-11-21T12:00:00.000Z', rtt: 5000 },
      { at: '2026-11-21T12:00:01.000Z', rtt: 90_000_000, tainted: true },
      { at: '2026-11-21T12:00:02.000Z', failure: 'no route to host' },
    ]);
    expect(body.paths[0]?.icmp).toMatchObject({ state: 'reachable', max: 5000, failures: 1 });
    expect(body).toMatchObject({ keptSamples: 60, bytesPerPath: historyBytesPerPath });
  });

  test('gives the plane of each path, and leaves out a protocol that was never probed', () => {
    const { store, endpoint, history } = createHistory();
    store.record(endpoint, 'http', reply(1));
    const [ofHost, ofEndpoint] = history('a')?.paths ?? [];
    expect(ofHost).toEqual({ plane: 'host', ip: '192.0.2.1' });
    expect(Object.keys(ofEndpoint ?? {})).toEqual(['plane', 'ip', 'http']);
  });

  test('does not call a path reachable that has only failures below the threshold', () => {
    const { store, host, history } = createHistory();
    store.record(host, 'http', failure('connection refused'));
    expect(history('a')?.paths[0]?.http).toMatchObject({
      state: 'unknown',
      samples: [{ failure: 'connection refused' }],
    });
  });

  test('keeps samples as far apart as they were when the system clock is stepped', () => {
    const { store, host, history } = createHistory();
    store.record(host, 'icmp', reply(1));
    vi.advanceTimersByTime(1000);
    vi.setSystemTime(Date.now() + 3_600_000);
    store.record(host, 'icmp', reply(2));
    expect(history('a')?.paths[0]?.icmp?.samples.map(({ at }) => at)).toEqual([
      '2026-11-21T13:00:00.000Z',
      '2026-11-21T13:00:01.000Z',
    ]);
  });
});
