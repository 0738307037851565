import { nameHash } from '../model/name-hash.js';
import { maxLargeLosses, maxLargePasses, type RowLarge } from '../model/row-large.js';
import type { Row } from '../model/row.js';

/**
 * Adds what this agent knows of large packets to its row. A path that does not work, or that loses small packets
 * too, says nothing of the size.
 */
export function withLarge(row: Row, { lost, passed }: RowLarge): Row {
  const unfit = new Set<string>();
  for (const { node, plane, protocol, state } of row.paths) {
    const isDead = protocol === 'http' && (state === 'unreachable' || state === 'unknown');
    if (isDead || (protocol === 'icmp' && state === 'lossy')) unfit.add(`${plane} ${node}`);
  }
  const told = lost.filter(({ node, plane }) => !unfit.has(`${plane} ${node}`));
  return told.length + passed.length === 0 ? row : { ...row, large: { lost: told, passed } };
}

/** Bounds it to what is sent: of the losses those whose names have the lowest hash, as all agents choose. */
export function boundLarge({ lost, passed }: RowLarge): RowLarge {
  const chosen =
    lost.length <= maxLargeLosses
      ? lost
      : [...lost].sort((a, b) => nameHash(a.node) - nameHash(b.node)).slice(0, maxLargeLosses);
  return { lost: chosen, passed: passed.slice(0, maxLargePasses) };
}
