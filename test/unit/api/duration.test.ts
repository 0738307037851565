import { describe, expect, test } from 'vitest';
import { formatDurationNs, parseDurationMs } from '../../../api/duration.js';

describe('formatDurationNs', () => {
  test.each([
    [0, '0s'],
    [1, '1ns'],
    [999, '999ns'],
    [1000, '1µs'],
    [1100, '1.1µs'],
    [405_072, '405.072µs'],
    [999_999, '999.999µs'],
    [1_000_000, '1ms'],
    [9_557_967, '9.557967ms'],
    [1e9, '1s'],
    [1.5e9, '1.5s'],
    [59_999_999_999, '59.999999999s'],
    [60e9, '1m0s'],
    [90e9, '1m30s'],
    [485e9, '8m5s'],
    [3600e9, '1h0m0s'],
    [3_661_500_000_000, '1h1m1.5s'],
    [-1_500_000, '-1.5ms'],
  ])('prints %d as %s', (ns, text) => {
    expect(formatDurationNs(ns)).toBe(text);
  });
});

describe('parseDurationMs', () => {
  test.each([
    ['500ms', 500],
    ['10s', 10_000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['250us', 0.25],
    ['0s', 0],
  ])('reads %s', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });

  test.each([
    '',
    '10',
    's',
    '-1s',
    '1 s',
    '1d',
    '1s ',
    'Infinitys',
    '1e3s',
    '1..5s',
    '1s'.repeat(50),
  ])('refuses %j', (text) => {
    expect(parseDurationMs(text)).toBeUndefined();
  });
});
