import { expect, test } from 'vitest';
import { ApiError } from '../../../api/client/api-error.js';
import { describeApiError } from '../../../cli/errors.js';

test("a line break in an agent's message does not start a new line of output", () => {
  const error = new ApiError('status', 'x answered 500: no\nmeshprobe: all is well\u001b[2J');
  expect(describeApiError(error)).toBe('x answered 500: no\\x0ameshprobe: all is well\\x1b[2J');
});

test('the hint for the user is on a line of its own', () => {
  const lines = describeApiError(new ApiError('timeout', 'x did\nnot answer')).split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe('x did\\x0anot answer');
});
