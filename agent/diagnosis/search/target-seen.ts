import { bad, notKnown, waits, well, type TargetTally } from '../evidence/target-tally.js';
import type { Cause } from '../nouns/cause.js';
import { nodesAt } from '../nouns/subject.js';

/** So many looks since the failure are enough, however many nodes look. */
const enoughLooks = 10;
/** So many other nodes of the zone are enough, however many it has. */
const enoughBesides = 5;

/**
 * Counts who looked at the target of a cause since it began, so many seconds ago, and what they saw.
 * @param confirmedS how many seconds ago a node confirmed its row: those that are cut off from here cannot tell
 */
export function targetSeen(
  tally: TargetTally,
  { subject, channels }: Cause,
  beganS: number,
  confirmedS: (node: number) => number,
) {
  const { index, kinds } = tally;
  const members = new Set(nodesAt(subject, index));
  const zoneBeside =
    subject.type === 'node' && index.zones.length > 1 ? index.zoneOf[subject.node] : undefined;
  const inside = { failing: 0, of: 0 };
  const outside = { failing: 0, of: 0 };
  const otherPlane = { reaching: 0, of: 0 };
  const host = { looking: 0, waiting: 0, looked: 0 };
  const endpoint = { ...host };
  const besides = { known: 0, of: 0 };
  const [lookingZones, failingZones] = [new Set<number>(), new Set<number>()];
  let isWhole = true;
  let [lastKnown, lastFailing] = [-1, -1];
  for (let slot = 0; slot < kinds.length; slot++) {
    const kind = kinds[slot];
    if (kind === notKnown) continue;
    const node = slot >> 1;
    const isInside = members.has(node);
    const isKnown = kind === bad || tally.isWellSince(slot, beganS);
    if (isInside && !isKnown) isWhole = false;
    if (((channels >> (slot & 1)) & 1) === 0) {
      if (!isInside || !isKnown) continue;
      otherPlane.of++;
      if (kind === well) otherPlane.reaching++;
      continue;
    }
    const zone = index.zoneOf[node] ?? -1;
    const plane = (slot & 1) === 0 ? host : endpoint;
    plane.looking++;
    if (kind === waits) plane.waiting++;
    if (confirmedS(node) < beganS) lookingZones.add(zone);
    if (zone === zoneBeside && zone !== -1) {
      besides.of++;
      if (isKnown) besides.known++;
    }
    if (!isKnown) continue;
    plane.looked++;
    const side = isInside ? inside : outside;
    if (node !== lastKnown) side.of++;
    lastKnown = node;
    if (kind !== bad) continue;
    failingZones.add(zone);
    if (node !== lastFailing) side.failing++;
    lastFailing = node;
  }
  const areEnough = (isOne: (plane: typeof host) => number) =>
    [host, endpoint].every((plane) => plane.looked >= Math.min(isOne(plane) / 2, enoughLooks));
  const hasProbed = areEnough(({ looking }) => looking);
  // Where all that fail are in one zone, it may be the zone.
  const isOneZone = subject.type === 'cluster' && failingZones.size === 1 && lookingZones.size > 1;
  return {
    /** All nodes that looked from a failing plane. */
    all: { failing: inside.failing + outside.failing, of: inside.of + outside.of },
    inside,
    outside: { reaching: outside.of - outside.failing, of: outside.of },
    otherPlane,
    /**
     * At least half of those that probe it have looked, from each failing plane, or ten; and one node alone from both. If it
     * is about all, some of more than one zone do not reach it. The budget of the target lets few look, so half of hundreds
     * would take minutes.
     */
    isComplete: hasProbed && !isOneZone && (subject.type !== 'node' || isWhole),
    /** It would be complete without those that have to look again first. */
    isWaiting: !hasProbed && areEnough(({ looking, waiting }) => looking - waiting),
    /** Of a node: all of its zone have looked too, or five of them. They may fail with it. */
    isZoneComplete: besides.known >= Math.min(besides.of, enoughBesides),
  };
}
