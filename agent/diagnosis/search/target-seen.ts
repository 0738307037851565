import type { Cause } from '../nouns/cause.js';
import { nodesAt } from '../nouns/subject.js';
import { bad, notKnown, waits, well, type TargetTally } from '../evidence/target-tally.js';

/** So many looks since the failure are enough, however many nodes look. */
const enoughLooks = 10;
/** So many other nodes of the zone are enough, however many it has. */
const enoughBesides = 5;

/**
 * Counts who looked at the target of a cause since it began, and what they saw.
 * @param beganS when it began, in seconds ago
 * @param confirmedS how many seconds ago a node confirmed its row: those that are cut off from here cannot tell
 */
export function targetSeen(
  tally: TargetTally,
  cause: Cause,
  beganS: number,
  confirmedS: (node: number) => number,
) {
  const { subject } = cause;
  const members = new Set(nodesAt(subject, tally.index));
  const isBeside = new Set(besidesOf(tally, cause));
  const { planes } = tally.question.looks;
  const [inside, outside] = [
    { failing: 0, of: 0 },
    { failing: 0, of: 0 },
  ];
  const other = { reaching: 0, of: 0 };
  const [looking, waiting, looked] = [
    [0, 0],
    [0, 0],
    [0, 0],
  ];
  const besides = { known: 0, of: 0 };
  const [lookingZones, failingZones] = [new Set<number>(), new Set<number>()];
  let isWhole = true;
  for (let node = 0; node < tally.index.size; node++) {
    const isInside = members.has(node);
    const slots = [2 * node, 2 * node + 1];
    const zone = tally.index.zoneOf[node] ?? -1;
    let [fails, knows] = [false, false];
    for (const [plane, slot] of slots.entries()) {
      const kind = tally.kinds[slot];
      if (kind === undefined || kind === notKnown) continue;
      const isKnown = kind === bad || tally.isWellSince(slot, beganS);
      if (isInside && !isKnown) isWhole = false;
      if (((cause.channels >> plane) & 1) === 0) {
        if (!isInside || !isKnown || ((planes >> plane) & 1) === 0) continue;
        other.of++;
        if (kind === well) other.reaching++;
        continue;
      }
      looking[plane] = (looking[plane] ?? 0) + 1;
      if (kind === waits) waiting[plane] = (waiting[plane] ?? 0) + 1;
      if (confirmedS(node) < beganS) lookingZones.add(zone);
      if (isBeside.has(node)) {
        besides.of++;
        if (isKnown) besides.known++;
      }
      if (!isKnown) continue;
      looked[plane] = (looked[plane] ?? 0) + 1;
      knows = true;
      if (kind !== bad) continue;
      fails = true;
      failingZones.add(zone);
    }
    if (!knows) continue;
    const side = isInside ? inside : outside;
    side.of++;
    if (fails) side.failing++;
  }
  const areEnoughOf = (ofPlane: (plane: number) => number): boolean =>
    [0, 1].every((plane) => (looked[plane] ?? 0) >= Math.min(ofPlane(plane) / 2, enoughLooks));
  const areEnough = areEnoughOf((plane) => looking[plane] ?? 0);
  // Where all that fail are in one zone, it may be the zone.
  const isOneZone = subject.type === 'cluster' && failingZones.size === 1 && lookingZones.size > 1;
  return {
    /** All nodes that looked from a failing plane. */
    all: { failing: inside.failing + outside.failing, of: inside.of + outside.of },
    /** The same of the subject's nodes. */
    inside,
    /** The nodes outside. */
    outside: { reaching: outside.of - outside.failing, of: outside.of },
    /** The subject's nodes, from the other plane. */
    otherPlane: other,
    /**
     * At least half of those that probe it have looked, from each failing plane, or ten; and one node alone from both. If it
     * is about all, some of more than one zone do not reach it. The budget of the target lets few look, so half of hundreds
     * would take minutes.
     */
    isComplete: areEnough && !isOneZone && (subject.type !== 'node' || isWhole),
    /** It would be complete without those that have to look again first. */
    isWaiting: !areEnough && areEnoughOf((plane) => (looking[plane] ?? 0) - (waiting[plane] ?? 0)),
    /** Of a node: all of its zone have looked too, or five of them. They may fail with it. */
    isZoneComplete: besides.known >= Math.min(besides.of, enoughBesides),
  };
}

/** The nodes of the zone of a single node, if there are others. */
function besidesOf({ index }: TargetTally, { subject }: Cause): readonly number[] {
  if (subject.type !== 'node' || index.zones.length < 2) return [];
  return index.zones[index.zoneOf[subject.node] ?? -1]?.members ?? [];
}
