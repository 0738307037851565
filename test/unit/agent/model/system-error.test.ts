import { describe, expect, test } from 'vitest';
import { outcomeOfConnectError, outcomeOfSendError } from '../../../../agent/model/system-error.js';

const hasFamily = (): boolean => false;
const lacksFamily = (): boolean => true;

test.each(['a send', 'a connection'])(
  'EADDRNOTAVAIL of %s is no shortage of ports on a host without that family',
  (of) => {
    const outcome =
      of === 'a send'
        ? outcomeOfSendError('EADDRNOTAVAIL', lacksFamily)
        : outcomeOfConnectError('EADDRNOTAVAIL', 'words', true, lacksFamily);
    expect(outcome).toEqual({
      outcome: 'not-sent',
      reason: 'no-family',
      detail: 'this host lacks that address family',
    });
  },
);

test('other errors do not depend on the family', () => {
  expect(outcomeOfSendError('ENOBUFS', lacksFamily)).toMatchObject({ reason: 'no-buffer' });
  expect(outcomeOfConnectError('ECONNREFUSED', 'words', false, lacksFamily)).toMatchObject({
    kind: 'refused',
  });
});

describe('an error of a send', () => {
  test.each([
    ['ENOBUFS', 'no-buffer'],
    ['EAGAIN', 'no-buffer'],
    ['ENOMEM', 'no-memory'],
    ['EMFILE', 'no-descriptor'],
  ])('%s is a shortage of this host, and no failure of the path', (code, reason) => {
    expect(outcomeOfSendError(code, hasFamily)).toEqual({
      outcome: 'not-sent',
      reason,
      detail: code,
    });
  });

  test.each(['ENETUNREACH', 'EHOSTUNREACH', 'EPERM', 'ENETDOWN', 'EADDRNOTAVAIL', 'EXYZ'])(
    '%s is a failure of the path by this host',
    (code) => {
      const { detail, ...outcome } = outcomeOfSendError(code, hasFamily);
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
    expect(outcomeOfConnectError(code, 'words', wasAtOnce, hasFamily)).toMatchObject({
      outcome: 'failure',
      kind,
    });
  });

  test.each([
    ['EADDRNOTAVAIL', 'no-port'],
    ['EADDRINUSE', 'no-port'],
    ['EMFILE', 'no-descriptor'],
    ['EAFNOSUPPORT', 'no-family'],
  ])('%s is a shortage of this host: %s', (code, reason) => {
    expect(outcomeOfConnectError(code, 'words', true, hasFamily)).toMatchObject({
      outcome: 'not-sent',
      reason,
    });
  });
});
