import { expect, test } from 'vitest';
import { sizeOf } from '../../../cli/context.js';

test('a terminal of 0 x 0 has no size that is known', () => {
  const write = () => true;
  expect(sizeOf({ write, rows: 0, columns: 0 })).toEqual({ rows: undefined, columns: undefined });
  expect(sizeOf({ write, rows: 24, columns: 60 })).toEqual({ rows: 24, columns: 60 });
  expect(sizeOf({ write })).toEqual({ rows: undefined, columns: undefined });
});
