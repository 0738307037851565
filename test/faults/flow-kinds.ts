import { nameHash } from '../../agent/model/name-hash.js';
import type { Trouble } from './trouble.js';
import type { FaultKind } from './fault.js';
import { zoneKind, zonePairKind, type Effect } from './group-kinds.js';
import { nodeKind } from './node-kinds.js';

/**
 * One of several equal paths is dead. Which one a packet takes is decided by its addresses and ports. Each GET has a
 * port of its own. Echoes have no ports: all of one path and direction go the same way, so they always pass or never.
 * @param crosses whether packets from one node to another have these equal paths before them
 * @param share one of so many, as a share
 */
function deadPath(crosses: (from: number, to: number) => boolean, share: number): Partial<Trouble> {
  return {
    flowLoss: (from, to) => (crosses(from, to) ? share : 0),
    drops: ({ from, to, plane, protocol }) =>
      protocol === 'icmp' && crosses(from, to) && chosen(`${from} ${to} ${plane} ${share}`) < share,
  };
}

/** A number from 0 to below 1 that a text decides. */
function chosen(text: string): number {
  let mixed = nameHash(text);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

const bothWays: Effect = ({ crosses }, share) => deadPath(crosses, share);
const oneWay: Effect = ({ crosses, isFirst }, share) =>
  deadPath((from, to) => isFirst(from) && crosses(from, to), share);

const kinds: readonly FaultKind[] = [
  nodeKind(
    'link of a bond of node dead',
    (node, share) => deadPath((from, to) => from === node || to === node, share),
    { kind: 'lossy' },
    'flows',
  ),
  nodeKind(
    'link of a bond of node dead outwards',
    (node, share) => deadPath((from) => from === node, share),
    { kind: 'lossy' },
    'flows',
  ),
  zonePairKind('equal path between zones dead', bothWays, 'lossy', 'flows'),
  zonePairKind('equal path from zone to zone dead', oneWay, 'lossy', 'flows'),
  zoneKind(
    'uplink of zone dead',
    (isIn, share) => deadPath((from, to) => isIn(from) !== isIn(to), share),
    'lossy',
    'flows',
  ),
];

/** The faults that some flows meet and the others do not. */
export const flowKinds: readonly FaultKind[] = kinds.map((kind) => ({
  ...kind,
  make(layout, subject, share) {
    const fault = kind.make(layout, subject, share);
    const paths = Math.round(1 / share);
    const many = paths === 2 ? 'two' : paths < 5 ? 'three or four' : 'more';
    return { ...fault, what: `${fault.what}, one of ${many}` };
  },
}));
