import { describe, expect, test } from 'vitest';
import { alignColumns } from '../../../../cli/view/tab-writer.js';

describe('alignColumns', () => {
  test('shares a width among neighbouring lines, and ends a block at a line without the cell', () => {
    expect(alignColumns(['a\tb', 'long\tc', 'none', 'x\ty'])).toBe(
      'a      b\nlong   c\nnone\nx   y\n',
    );
  });

  test('keeps an inner column apart from one that other lines lack', () => {
    expect(alignColumns(['a\tbb\tc', 'aaa\td', 'a\tb\tc'])).toBe(
      'a     bb   c\naaa   d\na     b   c\n',
    );
  });

  test('counts code points, and gives an empty cell the minimum width', () => {
    expect(alignColumns(['µs😀\tx', '\ty'])).toBe('µs😀   x\n      y\n');
  });
});
