import { describe, expect, test } from 'vitest';
import { outcomeOfConnectError, outcomeOfSendError } from '../../../../agent/model/system-error.js';

describe('an error of a send', () => {
  test.each([
    ['ENOBUFS', 'no-buffer'],
    ['EAGAIN', 'no-buffer'],
    ['ENOMEM', 'no-memory'],
    ['EMFILE', 'no-descriptor'],
  ])('%s is a shortage of this host, and no failure of the path', (code, reason) => {
    expect(outcomeOfSendError(code)).toEqual({ outcome: 'not-sent', reason, detail: code });
  });

  test.each(['ENETUNREACH', 'EHOSTUNREACH', 'EPERM', 'ENETDOWN', 'EADDRNOTAVAIL', 'EXYZ'])(
    '%s is a failure of the path by this host',
    (code) => {
      const { detail, ...outcome } = outcomeOfSendError(code);
      expect(outcome).toEqual({ outcome: 'failure', kind: 'local' });
      expect(detail).toMatch(/^this host cannot send: /);
    },
  );
});

describe('an error of a connection', () => {
  test.each([
    ['ENETUNREACH', true, 'local'],
    ['EHOSTUNREACH', true, 'local'],
    ['EPERM', false, 'local'],
    ['ENETUNREACH', false, 'unreachable'],
    ['EHOSTUNREACH', false, 'unreachable'],
    ['ECONNREFUSED', true, 'refused'],
    ['ECONNRESET', false, 'reset'],
    ['ETIMEDOUT', false, 'timeout'],
    ['EXYZ', false, 'protocol'],
  ])('%s, at once: %s, is a failure of kind %s', (code, wasAtOnce, kind) => {
    expect(outcomeOfConnectError(code, 'words', wasAtOnce)).toMatchObject({
      outcome: 'failure',
      kind,
    });
  });

  test.each([
    ['EADDRNOTAVAIL', 'no-port'],
    ['EMFILE', 'no-descriptor'],
    ['EAFNOSUPPORT', 'no-family'],
  ])('%s is a shortage of this host: %s', (code, reason) => {
    expect(outcomeOfConnectError(code, 'words', true)).toMatchObject({
      outcome: 'not-sent',
      reason,
    });
  });
});
