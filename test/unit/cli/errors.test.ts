import { expect, test } from 'vitest';
import type { AgentAddress } from '../../../api/client/address.js';
import { ApiError, connectionError } from '../../../api/client/api-error.js';
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

test('where nothing listens, the hint is about the socket or about the port', () => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const hint = (address: AgentAddress) =>
    describeApiError(connectionError(refused, address)).split('\n')[1];
  expect(hint({ kind: 'unix', path: '/nowhere.sock' })).toMatch(/^The agent that made this socket/);
  const [host, port] = ['127.0.0.1', 1];
  expect(hint({ kind: 'tcp', host, port })).toMatch(/does it serve this port \(--api-listen/);
});
