import { expect, test } from 'vitest';
import { orderNodes } from '../../../../cli/view/node-order.js';

const ordered = (local: string, ...names: string[]) =>
  orderNodes({
    local: { name: local },
    timestamp: '',
    nodes: names.map((name) => ({ name })),
  }).map(({ name }) => name);

test('the local node comes first, then the others by name', () => {
  expect(ordered('c/n2', 'c/n10', 'c/n2', 'c/n1')).toEqual(['c/n2', 'c/n1', 'c/n10']);
});

test('names beyond the basic plane come in the order of their bytes', () => {
  expect(ordered('c/n1', 'c/\u{1f642}', 'c/\ufffd', 'c/n1')).toEqual([
    'c/n1',
    'c/\ufffd',
    'c/\u{1f642}',
  ]);
});
