import { describe, expect, test } from 'vitest';
import { formatAgentAddress, parseAgentAddress } from '../../../../api/client/address.js';

describe('parseAgentAddress', () => {
  test('refuses a path that no socket can have', () => {
    const longest = `/${'x'.repeat(106)}`;
    expect(parseAgentAddress(`unix://${longest}`)).toEqual({ kind: 'unix', path: longest });
    expect(() => parseAgentAddress(`${longest}x`)).toThrow(
      'expected the path of a unix socket, at most 107 bytes, got 108 in "/xxx',
    );
    expect(() => parseAgentAddress(`/${'ä'.repeat(54)}`)).toThrow('got 109');
  });

  test.each([
    ['unix:///var/run/x.sock', 'unix:///var/run/x.sock'],
    ['/tmp/x.sock', 'unix:///tmp/x.sock'],
    ['tcp://127.0.0.1:4242', 'tcp://127.0.0.1:4242'],
    ['tcp://[::1]:4242', 'tcp://[::1]:4242'],
    ['tcp://localhost:80/', 'tcp://localhost:80'],
    ['https://mesh.example', 'https://mesh.example'],
    ['https://mesh.example:443/', 'https://mesh.example'],
    ['https://[::1]:8443', 'https://[::1]:8443'],
  ])('reads %s', (text, form) => {
    expect(formatAgentAddress(parseAgentAddress(text))).toBe(form);
  });

  test.each([
    '',
    'x.sock',
    'unix://x.sock',
    'unix:',
    'http://127.0.0.1:1',
    'tcp://127.0.0.1',
    'tcp://:80',
    'tcp://h:0',
    'https://',
    'https://user:secret@h:1',
    'https://h/prefix',
    'https://h:x',
    'tcp://h:65536',
    'tcp://::1:80',
    'tcp://a b:1',
    '/a\0b',
    '\u001b[31m',
  ])('refuses %j and says what it expected', (text) => {
    expect(() => parseAgentAddress(text)).toThrow(
      'expected unix:///path, an absolute path, tcp://host:port or https://host[:port], got "',
    );
  });
});
