import { describe, expect, it } from 'vitest';
import { nameHash } from '../../../../agent/model/name-hash.js';

describe('the hash of a name', () => {
  // The first three hashes are test vectors of draft-eastlake-fnv. The last one is the hash of the
  // bytes c3 a9.
  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
    ['é', Math.imul(Math.imul(0x811c9dc5 ^ 0xc3, 0x01000193) ^ 0xa9, 0x01000193) >>> 0],
  ])('is the 32-bit FNV-1a of its UTF-8: %j', (name, hash) => {
    expect(nameHash(name)).toBe(hash);
  });
});
