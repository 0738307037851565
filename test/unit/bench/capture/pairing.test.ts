import { describe, expect, test } from 'vitest';
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
