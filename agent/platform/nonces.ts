import { randomFillSync } from 'node:crypto';

const nonceBytes = 12;
const noncesAtOnce = 128;

/**
 * Creates nonces: sixteen characters of base64url that no one can guess. Random bytes are drawn for many at once,
 * because a call for a few costs as much.
 */
export function createNonces(): () => string {
  const bytes = Buffer.alloc(nonceBytes * noncesAtOnce);
  let at = bytes.length;
  return () => {
    if (at === bytes.length) {
      randomFillSync(bytes);
      at = 0;
    }
    at += nonceBytes;
    return bytes.toString('base64url', at - nonceBytes, at);
  };
}
