import { expect, test } from 'vitest';
import { EventStreamParser } from '../../../../api/page/client/event-stream-parser.js';

const stream =
  ': hello\r\n\r\nretry: 2000\n\nid: 7\nevent: path\ndata: {"a":1}\n\ndata: one\ndata:two\n\nevent: gap\ndata\n\nid: 8\ndata: x\r\r';

const events = [
  { id: '7', event: 'path', data: '{"a":1}' },
  { id: '7', event: 'message', data: 'one\ntwo' },
  { id: '7', event: 'gap', data: '' },
];

test('events are the same wherever the stream is cut into pieces', () => {
  for (let size = 1; size <= stream.length; size++) {
    const parser = new EventStreamParser();
    const found = [];
    for (let at = 0; at < stream.length; at += size) {
      found.push(...parser.push(stream.slice(at, at + size)));
    }
    // The last carriage return may be half of a line break, so the parser waits for more.
    expect(found, `pieces of ${size}`).toEqual(events);
    expect(parser.push('\n')).toEqual([{ id: '8', event: 'message', data: 'x' }]);
  }
});

test('a line that does not end is refused', () => {
  const parser = new EventStreamParser();
  const piece = 'x'.repeat(1024 * 1024);
  expect(() => {
    for (let round = 0; round < 5; round++) parser.push(piece);
  }).toThrow('event stream: expected a line');
});
