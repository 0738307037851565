import { describe, expect, test } from 'vitest';
import {
  byteToRttNs,
  byteToState,
  cellStates,
  decodeMatrixBytes,
  encodeMatrixBytes,
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

describe('the byte fields of a body', () => {
  const names = { rows: ['a', 'b'], columns: ['a', 'b', 'c'] };
  const states = Uint8Array.from([0, 1, 2, 3, 4, 5]);
  const rtts = Uint8Array.from([0, 1, 62, 128, 254, 255]);

  test('are read as they were written, also from the middle of a buffer', () => {
    const shared = Uint8Array.from([9, 9, ...states, 9]).subarray(2, 8);
    const body = { ...names, ...encodeMatrixBytes({ states: shared, rtts }) };
    expect(body.states).toBe('AAECAwQF');
    const decoded = decodeMatrixBytes(body);
    expect([...decoded.states]).toEqual([...states]);
    expect([...decoded.rtts]).toEqual([...rtts]);
  });

  test.each([
    ['states', { states: '' }],
    ['states', { states: 'AAECAwQ=' }],
    ['rtts', { rtts: 'not base64 at all' }],
  ])('are refused if %s has another length', (field, wrong) => {
    const body = { ...names, ...encodeMatrixBytes({ states, rtts }), ...wrong };
    expect(() => decodeMatrixBytes(body)).toThrow(
      `${field}: expected 6 bytes, one for each cell, got`,
    );
  });
});
