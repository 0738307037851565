import { expect, test } from 'vitest';
import type { Sample } from '../../../../agent/model/sample.js';
import { ProbeCounters, rttBucketsNs } from '../../../../agent/results/probe-counters.js';
import { answered, lost } from '../../../rows/make-store.js';

const reply = (rttNs: number, tainted = false): Sample => ({ ...answered, rttNs, tainted });
const failure = (tainted = false): Sample => ({ ...lost, tainted });
const notSent: Sample = {
  outcome: 'not-sent',
  reason: 'no-buffer',
  detail: 'ENOBUFS',
  sentMs: 1,
  at: 1,
};

test('the RTT buckets go from 25 us to 1.6 s, each twice the one before', () => {
  expect(rttBucketsNs.slice(0, 3)).toEqual([25_000, 50_000, 100_000]);
  expect(rttBucketsNs.at(-1)).toBe(1_638_400_000);
});

test('probes are counted by plane, protocol and outcome, and a tainted one only as tainted', () => {
  const counters = new ProbeCounters();
  counters.add('host', 'icmp', reply(1000));
  counters.add('host', 'icmp', reply(1000, true));
  counters.add('host', 'icmp', failure(true));
  counters.add('host', 'icmp', failure());
  counters.add('host', 'icmp', failure());
  counters.add('host', 'icmp', notSent);
  counters.add('endpoint', 'http', reply(1000));
  const totals = counters.totals();
  expect(totals.host.icmp.outcomes).toEqual({ reply: 1, failure: 2, not_sent: 1, tainted: 2 });
  expect(totals.endpoint.http.outcomes).toEqual({ reply: 1, failure: 0, not_sent: 0, tainted: 0 });
  expect(totals.host.http.outcomes).toEqual({ reply: 0, failure: 0, not_sent: 0, tainted: 0 });
});

test('an RTT falls into the bucket whose bound it meets, and counts in all above', () => {
  const counters = new ProbeCounters();
  for (const rttNs of [1, 25_000, 25_001, 1_638_400_000, 1_638_400_001]) {
    counters.add('host', 'http', reply(rttNs));
  }
  counters.add('host', 'http', reply(7, true));
  const { rtt } = counters.totals().host.http;
  expect(rtt.cumulativeCounts).toEqual([2, ...Array<number>(15).fill(3), 4]);
  expect(rtt).toMatchObject({ count: 5, sumNs: 1 + 25_000 + 25_001 + 2 * 1_638_400_000 + 1 });
});

test('totals are a copy that does not change', () => {
  const counters = new ProbeCounters();
  const before = counters.totals();
  counters.add('host', 'http', reply(1));
  expect(before.host.http).toMatchObject({ outcomes: { reply: 0 }, rtt: { count: 0 } });
});
