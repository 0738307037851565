import { describe, expect, test } from 'vitest';
import {
  byteToRttNs,
  byteToState,
  cellStates,
  rttToByte,
  stateToByte,
} from '../../../../../api/schema/v1/matrix-bytes.js';

describe('the byte of a round trip', () => {
  test.each([
    [undefined, 0],
    [NaN, 0],
    [0, 1],
    [1, 1],
    [1000, 1],
    [1091, 2],
    [2000, 9],
    [190_000, 62],
    [1e9, 160],
    [3.6e12, 255],
    [Infinity, 255],
  ])('of %j ns is %i', (rttNs, byte) => {
    expect(rttToByte(rttNs)).toBe(byte);
  });

  test('is restored exactly, and its round trip with an error of at most 4.5 %', () => {
    for (let byte = 0; byte <= 255; byte++) expect(rttToByte(byteToRttNs(byte))).toBe(byte);
    for (let rttNs = 1000; rttNs < 3e12; rttNs *= 1.01) {
      expect(Math.abs((byteToRttNs(rttToByte(rttNs)) ?? 0) / rttNs - 1)).toBeLessThan(0.045);
    }
    expect(byteToRttNs(0)).toBe(undefined);
  });
});

describe('the byte of a state', () => {
  test('is the number that the contract gives it', () => {
    expect(cellStates.map(stateToByte)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(cellStates.map(stateToByte).map(byteToState)).toEqual(cellStates);
    expect(byteToState(2)).toBe('reachable');
  });

  test('is never read as good if it is unknown', () => {
    for (let byte = 6; byte <= 255; byte++) expect(byteToState(byte)).toBe('unknown');
  });
});
