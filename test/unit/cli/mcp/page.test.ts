import { expect, test } from 'vitest';
import { pageOf } from '../../../../cli/mcp/page.js';

test('pages hold every entry once, by their cursors', () => {
  const all = Array.from({ length: 7 }, (_, at) => at);
  expect(pageOf(all, { limit: 3 })).toEqual({ items: [0, 1, 2], total: 7, nextCursor: '3' });
  expect(pageOf(all, { limit: 3, cursor: '6' })).toEqual({ items: [6], total: 7 });
  expect(pageOf(all, { limit: 3, cursor: '7' })).toEqual({ items: [], total: 7 });
  expect(pageOf([], { limit: 3 })).toEqual({ items: [], total: 0 });
});

test('a page ends before 32 KB, and has one entry at least', () => {
  const long = Array.from({ length: 5 }, () => 'ä'.repeat(7000));
  expect(pageOf(long, { limit: 5 })).toMatchObject({ items: [long[0], long[1]], nextCursor: '2' });
  const huge = ['x'.repeat(100_000), 'y'];
  expect(pageOf(huge, { limit: 5 })).toMatchObject({ items: [huge[0]], nextCursor: '1' });
});
