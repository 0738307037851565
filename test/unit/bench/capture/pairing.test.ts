import { describe, expect, test } from 'vitest';
import { pairInOrder } from '../../../bench/capture/in-order.js';
import { addressNumber } from '../../../bench/capture/frame.js';
import { pair } from '../../../bench/capture/pairing.js';

const exchange = (ip: string, replyMs: number, rttNs: number) => ({
  address: addressNumber(ip),
  id: 1,
  replyMs,
  rttNs,
});
const report = (ip: string, lastProbedMs: number, latencyNs: number) => ({
  ip,
  lastProbedMs,
  latencyNs,
});

describe('pair', () => {
  test('takes the exchange of that address that is nearest in time', () => {
    const exchanges = [
      exchange('198.18.0.1', 1000, 10),
      exchange('198.18.0.1', 2000, 20),
      exchange('198.18.0.1', 3000, 30),
      exchange('198.18.0.2', 2005, 99),
    ];
    expect(pair([report('198.18.0.1', 2015, 25)], exchanges)).toEqual([
      { reportedNs: 25, deviceNs: 20 },
    ]);
  });

  test('leaves out a report that no captured exchange can be about', () => {
    const exchanges = [exchange('198.18.0.1', 1000, 10)];
    expect(pair([report('198.18.0.1', 2000, 25)], exchanges)).toEqual([]);
    expect(pair([report('198.18.0.2', 1000, 25)], exchanges)).toEqual([]);
  });
});

describe('pairInOrder', () => {
  test('joins the first with the first, address by address', () => {
    const times = new Map([
      ['198.18.0.1', [11, 12]],
      ['198.18.0.2', [21]],
    ]);
    const exchanges = [
      exchange('198.18.0.1', 1, 1),
      exchange('198.18.0.2', 2, 3),
      exchange('198.18.0.1', 3, 2),
    ];
    expect(pairInOrder(times, exchanges)).toEqual([
      { reportedNs: 11, deviceNs: 1 },
      { reportedNs: 12, deviceNs: 2 },
      { reportedNs: 21, deviceNs: 3 },
    ]);
  });

  test('leaves out an address of which one side has more', () => {
    const times = new Map([['198.18.0.1', [11]]]);
    const exchanges = [exchange('198.18.0.1', 1, 1), exchange('198.18.0.1', 2, 2)];
    expect(pairInOrder(times, exchanges)).toEqual([]);
  });
});
