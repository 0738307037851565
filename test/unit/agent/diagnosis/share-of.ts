/** A number from 0 to below 1 of two nodes: always the same, and like chance. */
export function shareOf(from: string, to: string, purpose: number): number {
  let mixed = 0;
  for (const char of `${from} ${to} ${purpose}`)
    mixed = Math.imul(mixed ^ char.charCodeAt(0), 0x5bd1_e995) ^ (mixed >>> 13);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}
