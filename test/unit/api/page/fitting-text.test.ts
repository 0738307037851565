import { expect, test } from 'vitest';
import { fittingText, partWords } from '../../../../api/page/matrix/fitting-text.js';

const widthOf = (text: string): number => text.length;

test.each([
  [100, '110,888 of 110,888'],
  [18, '110,888 of 110,888'],
  [17, '110,888'],
  [6, '111K'],
  [1, '111K'],
])('of a part and its whole the longest that fits %i letters is %s', (room, text) => {
  expect(fittingText(partWords(110_888, 110_888), room, widthOf)).toBe(text);
});
