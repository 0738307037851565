import { describe, expect, test } from 'vitest';
import { InvalidResponseError } from '../../../../../agent/discovery/kubernetes/kubernetes-api-error.js';
import { LineSplitter } from '../../../../../agent/discovery/kubernetes/line-splitter.js';

describe('a stream of lines', () => {
  test.each([1, 2, 3, 5, 100])('is cut the same in chunks of %i bytes', (chunkBytes) => {
    const bytes = Buffer.from('first\nsecönd\n\nrest');
    const splitter = new LineSplitter(100);
    const lines: string[] = [];
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      lines.push(...splitter.push(bytes.subarray(at, at + chunkBytes)));
    }
    expect(lines).toEqual(['first', 'secönd', '']);
    expect(splitter.isWithinLine).toBe(true);
    expect(splitter.push(Buffer.from('\n'))).toEqual(['rest']);
    expect(splitter.isWithinLine).toBe(false);
  });

  test('has no line longer than allowed', () => {
    const splitter = new LineSplitter(4);
    expect(splitter.push(Buffer.from('1234\n123'))).toEqual(['1234']);
    expect(() => splitter.push(Buffer.from('45'))).toThrow(InvalidResponseError);
  });
});
