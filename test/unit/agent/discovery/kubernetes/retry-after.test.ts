import { expect, test } from 'vitest';
import { readRetryAfter } from '../../../../../agent/discovery/kubernetes/retry-after.js';

const now = Date.parse('2026-01-01T00:00:00Z');

test.each([
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  ['0', 0],
  ['7', 7000],
  ['86400', 300_000],
  ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
])('Retry-After: %s means %s ms', (header, expected) => {
  expect(readRetryAfter(header, now)).toBe(expected);
});
