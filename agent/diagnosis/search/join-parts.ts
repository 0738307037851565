import type { Cause } from '../nouns/cause.js';
import { isPlane } from '../nouns/channel-mask.js';
import { subjectKey } from '../nouns/subject.js';

/** Makes one cause of those of which too few paths may be known to fail for one, where two at a node began at the same time. */
export function joinParts(
  causes: Iterable<Cause>,
  beganTogether: (a: Cause, b: Cause) => boolean,
): Cause[] {
  return joinWays(joinProtocols(joinWays(causes), beganTogether));
}

/**
 * Makes one cause of two that differ only in their direction. While a node recovers, too few of its
 * paths may fail for one cause in both directions, and it is still the same trouble. Without this, of two
 * nodes that lose their endpoint planes one after the other, the second has two findings at first.
 */
function joinWays(causes: Iterable<Cause>): Cause[] {
  const joined = new Map<string, Cause>();
  for (const cause of causes) {
    const key = `${subjectKey(cause.subject)} ${cause.channels}`;
    const other = joined.get(key);
    joined.set(key, other ? join(other, cause) : cause);
  }
  return [...joined.values()];
}

/**
 * Makes one cause of two that break the two protocols of one plane of a node in the same direction, where one of them is of some
 * paths alone. GETs come round rarely, so too few may fail by HTTP yet for one cause of the plane, and HTTP alone would be told.
 */
function joinProtocols(
  causes: readonly Cause[],
  beganTogether: (a: Cause, b: Cause) => boolean,
): Cause[] {
  const joined = [...causes];
  for (const partial of causes) {
    if (!partial.isPartial) continue;
    const at = joined.findIndex(
      (one) =>
        one.ways === partial.ways &&
        isPlane(one.channels | partial.channels) &&
        !isPlane(one.channels) &&
        subjectKey(one.subject) === subjectKey(partial.subject),
    );
    const other = joined[at];
    if (!other || isPlane(partial.channels) || !beganTogether(other, partial)) continue;
    joined[at] = { ...join(other, partial), channels: other.channels | partial.channels };
    joined.splice(joined.indexOf(partial), 1);
  }
  return joined;
}

function join(a: Cause, b: Cause): Cause {
  return {
    ...a,
    knownChannels: a.knownChannels | b.knownChannels,
    ways: a.ways === b.ways ? a.ways : 'both',
    isPartial: a.isPartial || b.isPartial,
    entries: Int32Array.from(new Set([...a.entries, ...b.entries])),
    paths: a.paths + b.paths,
    well: a.well + b.well,
    cost: a.cost + b.cost,
    gain: a.gain + b.gain,
  };
}
