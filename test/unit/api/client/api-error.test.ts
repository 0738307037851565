import { expect, test } from 'vitest';
import { connectionError } from '../../../../api/client/api-error.js';
import { parseAgentAddress } from '../../../../api/client/address.js';

const errorOf = (code: string, address: string) =>
  connectionError(Object.assign(new Error('raw'), { code }), parseAgentAddress(address));

test.each([
  ['ENOTFOUND', 'https://mesh.example', 'absent-host', 'there is no such host'],
  ['EAI_AGAIN', 'tcp://mesh.example:1', 'absent-host', 'there is no such host'],
  ['CERT_NOT_YET_VALID', 'https://h', 'out-of-date', 'its certificate is not valid yet'],
  ['CERT_REVOKED', 'https://h', 'untrusted', 'its certificate is not valid (CERT_REVOKED)'],
  ['EPROTO', 'https://h', 'no-tls', 'it does not speak TLS'],
  ['EHOSTUNREACH', 'tcp://h:1', 'gone', 'raw'],
])('%s of %s is the kind %s', (code, address, kind, words) => {
  expect(errorOf(code, address)).toMatchObject({
    kind,
    message: `cannot reach the agent on ${address}: ${words}`,
  });
});
