const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/**
 * The 32-bit FNV-1a hash of a node's full name in UTF-8, from 0 to 2^32 - 1. It is the same on every
 * agent: where more nodes are not well than a row holds, all agents tell of those whose hash is lowest.
 * Source: draft-eastlake-fnv, section 2.
 */
export function nameHash(name: string): number {
  let hash = offsetBasis;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    // ASCII, as nearly all names are, is its own UTF-8.
    if (code > 0x7f) return hashBytes(Buffer.from(name, 'utf8'));
    hash = Math.imul(hash ^ code, prime);
  }
  return hash >>> 0;
}

function hashBytes(bytes: Uint8Array): number {
  let hash = offsetBasis;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime);
  return hash >>> 0;
}
