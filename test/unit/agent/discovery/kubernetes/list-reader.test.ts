import { describe, expect, test } from 'vitest';
import { InvalidResponseError } from '../../../../../agent/discovery/kubernetes/kubernetes-api-error.js';
import { ListReader } from '../../../../../agent/discovery/kubernetes/list-reader.js';

function read(text: string, chunkBytes = text.length) {
  const items: unknown[] = [];
  const reader = new ListReader((item) => items.push(item));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += Math.max(chunkBytes, 1)) {
    reader.push(bytes.subarray(at, at + Math.max(chunkBytes, 1)));
  }
  return { items, ...reader.end() };
}

const items = [
  { metadata: { name: 'a "quoted" \\ name', items: [{ x: 1 }, [2]] } },
  { metadata: { name: 'ünï}{][,"' }, spec: {} },
  {},
];
const list = {
  kind: 'NodeList',
  nested: { items: [1, 2] },
  metadata: { resourceVersion: '7', continue: 'next' },
  items,
};

describe('a list that is read as it arrives', () => {
  test.each([1, 2, 3, 7, 64, 10_000])('gives its items in chunks of %i bytes', (chunkBytes) => {
    for (const text of [JSON.stringify(list), JSON.stringify(list, null, 2)]) {
      const expected = { items, resourceVersion: '7', continueToken: 'next' };
      expect(read(text, chunkBytes)).toEqual(expected);
    }
  });

  test('may have its metadata last, and no items', () => {
    const text = '{"items":[{"a":1}],"metadata":{"resourceVersion":"8"}}';
    expect(read(text)).toEqual({ items: [{ a: 1 }], resourceVersion: '8', continueToken: '' });
    for (const none of ['[]', '[ ]', 'null']) {
      expect(read(`{"metadata":{"resourceVersion":"8"},"items":${none}}`).items).toEqual([]);
    }
  });

  test.each([
    '',
    'null',
    '7',
    '[]',
    '{}',
    '<html>',
    ']]]]',
    '{"items":[]}',
    '{"metadata":{"resourceVersion":7},"items":[]}',
    '{"metadata":{"resourceVersion":"7","continue":7},"items":[]}',
    '{"metadata":7,"items":[]}',
    '{"metadata":{"resourceVersion":"7"}}',
    '{"metadata":{"resourceVersion":"7"},"items":{}}',
    '{"metadata":{"resourceVersion":"7"},"items":[1]}',
    '{"metadata":{"resourceVersion":"7"},"items":["a"]}',
    '{"metadata":{"resourceVersion":"7"},"items":[[]]}',
    '{"metadata":{"resourceVersion":"7"},"items":[{"a":}]}',
    '{"metadata":{"resourceVersion":"7"},"items":[{"a":1]}',
    '{"metadata":{"resourceVersion":"7"},"items":[{"a":1}',
    '{"metadata":{"resourceVersion":"7"},"items":[{"a":"',
    '{"metadata":{"resourceVersion":"7"},"items":[]} x',
  ])('cannot be %s', (text) => {
    for (const chunkBytes of [1, 1000]) {
      expect(() => read(text, chunkBytes)).toThrow(InvalidResponseError);
    }
  });

  test('does not keep an item without end', () => {
    const reader = new ListReader(() => undefined);
    reader.push(Buffer.from('{"items":[{"a":"'));
    const filler = Buffer.alloc(1 << 20, 0x61);
    expect(() => {
      for (let count = 0; count < 100; count++) reader.push(filler);
    }).toThrow(InvalidResponseError);
  });

  test('does not keep anything else without end', () => {
    const reader = new ListReader(() => undefined);
    const filler = Buffer.alloc(1 << 20, 0x20);
    expect(() => {
      for (let count = 0; count < 100; count++) reader.push(filler);
    }).toThrow(InvalidResponseError);
  });
});
