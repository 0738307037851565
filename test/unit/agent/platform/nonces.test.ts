import { expect, test } from 'vitest';
import { createNonces } from '../../../../agent/platform/nonces.js';

test('nonces are sixteen characters of base64url, and no two are alike', () => {
  const createNonce = createNonces();
  const nonces = Array.from({ length: 1000 }, createNonce);
  expect(nonces.filter((nonce) => !/^[A-Za-z0-9_-]{16}$/.test(nonce))).toEqual([]);
  expect(new Set(nonces).size).toBe(1000);
  expect(nonces).not.toContain(createNonces()());
});
