import { describe, expect, test } from 'vitest';
import { AnswerReader } from '../../../../../agent/probing/http/answer-reader.js';

/** Gives an answer in two pieces, cut after so many bytes. */
function read(answer: string, cut = answer.length): AnswerReader & { found?: unknown } {
  const reader: AnswerReader & { found?: unknown } = new AnswerReader();
  for (const piece of [answer.slice(0, cut), answer.slice(cut)]) {
    if (reader.found !== undefined && reader.found !== false) break;
    reader.found = reader.take(piece);
  }
  return reader;
}

const sized = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\nx-a: 2\r\n\r\nhello';
const chunked =
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nx-a: 1, 2\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nx-b: 1\r\n\r\n';
const interim = `HTTP/1.1 100 Continue\r\n\r\n${sized}`;

describe('an answer', () => {
  test.each([
    ['with its length', sized],
    ['in chunks', chunked],
    ['after an interim one', interim],
  ])('%s is read however it is cut', (_, answer) => {
    for (let cut = 0; cut <= answer.length; cut++) {
      expect(read(answer, cut)).toMatchObject({ found: true, status: 200, body: 'hello' });
      expect(read(answer, cut).headers.get('x-a')).toBe('1, 2');
      expect(read(answer.slice(0, cut)).found).toBe(cut === answer.length);
    }
  });

  test('without a length ends when the connection does', () => {
    const reader = read('HTTP/1.0 200 OK\r\n\r\nhello', 21);
    expect(reader).toMatchObject({ found: false, body: 'hello' });
    expect(reader.close()).toBeUndefined();
  });

  test.each([
    ['a head', 'HTTP/1.1 200 O'],
    ['a body', sized.slice(0, -1)],
    ['a chunk', chunked.slice(0, -2)],
  ])('is not complete where the connection ends in %s', (_, answer) => {
    expect(read(answer).close()).toMatchObject({ kind: 'reset' });
  });

  test.each([
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', 204],
    ['101', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n', 101],
  ])('of status %s has no body', (_, answer, status) => {
    expect(read(answer)).toMatchObject({ found: true, status, body: '' });
  });

  test.each([
    ['another version', 'HTTP/2.0 200 OK\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['lines without a return', 'HTTP/1.1 200 OK\nx: 1\n\r\n\r\n'],
    ['a line that is no header', 'HTTP/1.1 200 OK\r\nx\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
    ],
    ['a bad chunk size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n'],
    ['a chunk without its end', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc'],
    [
      'an endless chunk size',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'a'.repeat(300)}`,
    ],
  ])('with %s is none', (_, answer) => {
    expect(read(answer).found).toMatchObject({ kind: 'protocol' });
  });

  test.each([
    ['interim answers', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(400)],
    ['a body by its length', 'HTTP/1.1 200 OK\r\ncontent-length: 65537\r\n\r\n'],
  ])('with too much of %s is refused', (_, answer) => {
    expect(read(answer).found).toMatchObject({ kind: 'too-large' });
  });
});
