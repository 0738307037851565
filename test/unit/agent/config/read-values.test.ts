import { expect, test } from 'vitest';
import { readAddresses, readWholeNumber } from '../../../../agent/config/read-values.js';

test.each<[unknown, string[] | undefined]>([
  ['198.51.100.1', ['198.51.100.1']],
  ['198.51.100.1, 198.51.100.2', ['198.51.100.1', '198.51.100.2']],
  [['198.51.100.1', '198.51.100.1'], ['198.51.100.1']],
  ['::1,0:0::1', ['::1']],
  ['0.0.0.0,::', ['0.0.0.0', '::']],
  ['', undefined],
  ['198.51.100.1,', undefined],
  ['fe80::1%eth0', undefined],
  ['here', undefined],
  [[], undefined],
  [7, undefined],
])('the addresses of %j are %j', (raw, expected) => {
  expect(readAddresses(raw)).toEqual(expected);
});

test.each<[unknown, number | undefined]>([
  ['1', 1],
  [65535, 65535],
  ['0', undefined],
  ['65536', undefined],
  ['1e3', undefined],
  [' 1', undefined],
  [1.5, undefined],
  [undefined, undefined],
])('the port of %j is %j', (raw, expected) => {
  expect(readWholeNumber(raw, 1, 65535)).toBe(expected);
});
