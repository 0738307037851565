import { describe, expect, test } from 'vitest';
import { readStrace } from '../../bench/strace.js';
import { readWrk } from '../../bench/wrk.js';

const wrkOutput = `Running 3s test @ http://127.0.0.1:4242/v1beta/status
  1 threads and 1 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    31.84ms   24.13ms 146.33ms   83.52%
    Req/Sec    37.04     13.51    70.00     76.67%
  Latency Distribution
     50%  900.00us
     75%   39.55ms
     90%   60.16ms
     99%    1.20s
  111 requests in 3.01s, 593.88MB read
Requests/sec:     36.90
Transfer/sec:    197.39MB
`;

describe('readWrk', () => {
  test('has the rate and the latencies in one unit', () => {
    expect(readWrk(wrkOutput)).toEqual({
      perSecond: 36.9,
      medianMs: 0.9,
      p99Ms: 1200,
      unchangedShare: 0,
      errors: 0,
    });
  });

  test('counts what failed, and what had not changed', () => {
    const failed = `  Socket errors: connect 1, read 37, write 0, timeout 2
  Non-2xx or 3xx responses: 5
`;
    const output = wrkOutput.replace('Requests/sec', `${failed}Requests/sec`);
    expect(readWrk(`${output}unchanged 10 of 40\n`)).toMatchObject({
      errors: 45,
      unchangedShare: 0.25,
    });
  });

  test('refuses what is no output of wrk', () => {
    expect(() => readWrk('unable to connect')).toThrow('got unable to connect');
  });
});

test('readStrace has every call, the most frequent first, and no totals', () => {
  const output = `strace: Process 4711 attached with 11 threads
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 60.01    0.100000          50      2000           epoll_wait
 39.99    0.060000          20      3000       150 recvmmsg
  0.00    0.000000           0         1           futex
------ ----------- ----------- --------- --------- ----------------
100.00    0.160000          32      5001       150 total
`;
  expect(readStrace(output)).toEqual({
    total: 5001,
    calls: [
      { name: 'recvmmsg', count: 3000 },
      { name: 'epoll_wait', count: 2000 },
      { name: 'futex', count: 1 },
    ],
  });
});
