import { planes } from '../../model/path.js';
import { channelsIn, endpointMask, hostMask } from '../nouns/channel-mask.js';
import type { NotKnownPlane } from '../nouns/diagnosis-input.js';
import { reportedChannels } from './coverage.js';
import type { Tally } from './tally.js';

/** A node that has just come is probed within this time, and others tell of it. */
const firstProbesS = 10;
/** So many planes of which nobody knows anything are named. */
const most = 64;

/**
 * The planes of active nodes of which nobody knows whether they work: no fresh row has a path there that answered or failed,
 * and the local agent could not probe it either. So it is where no host has the address family of a node.
 */
export function notKnownPlanes(tally: Tally, localNode: number): readonly NotKnownPlane[] {
  const { entries } = tally.observations;
  const found: NotKnownPlane[] = [];
  const [first, end] = localNode === -1 ? [0, 0] : tally.rangeFrom(localNode);
  for (let entry = first; entry < end && found.length < most; entry++) {
    const unknown = entries.unknown[entry] ?? 0;
    if (unknown === 0) continue;
    const node = entries.to[entry] ?? -1;
    for (const plane of planes) {
      const mask = plane === 'host' ? hostMask : endpointMask;
      const isNew = channelsIn(unknown & mask).some((one) => tally.ageS(entry, one) < firstProbesS);
      if ((unknown & mask) === 0 || isNew || isKnown(tally, node, mask)) continue;
      found.push({ node: tally.index.nodes[node]?.name ?? '', plane });
    }
  }
  return found;
}

/** Whether a fresh row tells of a path to a node, on one of these channels, that works or fails. */
function isKnown(tally: Tally, node: number, mask: number): boolean {
  const { index, observations } = tally;
  const { entries, observers } = observations;
  const unknown = new Map<number, number>();
  for (const entry of tally.entriesTo(node)) {
    if (((entries.fail[entry] ?? 0) & mask) !== 0) return true;
    unknown.set(entries.from[entry] ?? -1, entries.unknown[entry] ?? 0);
  }
  return observers.some((observer) => {
    if (observer.node === node) return false;
    const known = mask & ~(unknown.get(observer.node) ?? 0);
    return reportedChannels(observer, node, known, index) !== 0;
  });
}
