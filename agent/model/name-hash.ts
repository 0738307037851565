const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/**
 * The 32-bit FNV-1a hash of a node's full name in UTF-8, from 0 to 2^32 - 1. It is the same on every
 * agent: where more nodes are not well than a row holds, all agents tell of those whose hash is lowest.
 * Source: draft-eastlake-fnv, section 2.
 */
export function nameHash(name: string): number {
  let hash = offsetBasis;
  for (const byte of Buffer.from(name, 'utf8')) hash = Math.imul(hash ^ byte, prime);
  return hash >>> 0;
}
