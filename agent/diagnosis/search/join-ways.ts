import type { Cause } from '../nouns/cause.js';
import { subjectKey } from '../nouns/subject.js';

/**
 * Makes one cause of two that differ only in their direction. While a node recovers, too few of its
 * paths may fail for one cause in both directions, and it is still the same trouble. Without this, of two
 * nodes that lose their endpoint planes one after the other, the second has two findings at first.
 */
export function joinWays(causes: Iterable<Cause>): Cause[] {
  const joined = new Map<string, Cause>();
  for (const cause of causes) {
    const key = `${subjectKey(cause.subject)} ${cause.channels}`;
    const other = joined.get(key);
    joined.set(key, other ? join(other, cause) : cause);
  }
  return [...joined.values()];
}

function join(a: Cause, b: Cause): Cause {
  return {
    ...a,
    knownChannels: a.knownChannels | b.knownChannels,
    ways: 'both',
    isPartial: a.isPartial || b.isPartial,
    entries: Int32Array.from(new Set([...a.entries, ...b.entries])),
    paths: a.paths + b.paths,
    well: a.well + b.well,
    cost: a.cost + b.cost,
    gain: a.gain + b.gain,
  };
}
