import { expect, test } from 'vitest';
import { bounded } from '../../../../cli/mcp/bounded.js';

test('what hides or reorders text is shown, in values and in names', () => {
  const body = { 'a\u200b': ['\u001b[2J', { text: 'ok\u202e' }], count: 3, isOk: true, none: null };
  expect(bounded(body)).toEqual({
    'a\\u200b': ['\\x1b[2J', { text: 'ok\\u202e' }],
    count: 3,
    isOk: true,
    none: null,
  });
});

test('long texts, long lists and deep bodies are cut', () => {
  const text = bounded('x'.repeat(3000));
  expect([text.length, text.slice(-4)]).toEqual([2000, 'x...']);
  expect(bounded('x'.repeat(2000))).toBe('x'.repeat(2000));
  expect(bounded(Array.from({ length: 1000 }, (_, at) => at))).toHaveLength(300);
  let deep: object = {};
  for (let level = 0; level < 100; level++) deep = { deep };
  expect(JSON.stringify(bounded(deep)).match(/deep/g)).toHaveLength(15);
});
