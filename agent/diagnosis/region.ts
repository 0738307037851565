import { countUpTo, type Zone } from './cluster-index.js';
import { sizeOf } from './channels.js';
import { countOn, type Evidence } from './evidence.js';
import { leastShare, lookS, outdatedShare } from './weights.js';

/** The paths from some nodes to some others. */
export interface Region {
  /** Entries of these paths that fail or are unknown. */
  readonly entries: readonly number[];
  /** For each channel, the paths that fail without a cause so far. */
  readonly fails: readonly number[];
  /** For each channel, the paths that work. Old reports count less. */
  readonly oks: readonly number[];
  /** The sum of the failures' ages, each up to `mostAgeS`. */
  readonly ageS: number;
  /** Some of the nodes at both ends. So many that more would change nothing. */
  readonly observers: ReadonlySet<number>;
  readonly targets: ReadonlySet<number>;
}

const enough = 3;

/** The targets of a region's paths. */
export interface Targets {
  readonly zone: Zone;
  /** The nodes of this zone are excluded from those of `zone`. */
  readonly without?: Zone;
  /** The observers are targets too, but none is its own target. */
  readonly areObservers?: boolean;
}

/**
 * Counts the paths from some nodes to others.
 *
 * @param entries those of these paths that fail or are unknown
 */
export function countRegion(
  evidence: Evidence,
  from: readonly number[],
  to: Targets,
  entries: readonly number[],
): Region {
  const { observations } = evidence;
  const openMasks = new Uint32Array(16);
  const observers = new Set<number>();
  const targets = new Set<number>();
  let [ageS, failing] = [0, 0];
  for (const entry of entries) {
    const open = evidence.open(entry);
    if (open === 0) continue;
    if (observers.size < enough) observers.add(observations.from[entry] ?? 0);
    if (targets.size < enough) targets.add(observations.to[entry] ?? 0);
    openMasks[open] = (openMasks[open] ?? 0) + 1;
    failing += sizeOf(open);
    ageS += sizeOf(open) * evidence.ageOf(entry);
  }
  const fails = [0, 1, 2, 3].map((channel) => countOn(openMasks, channel));
  const latestS = (failing === 0 ? 0 : ageS / failing) - lookS;
  const [recent, outdated] = [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ];
  for (const node of from) {
    const observer = observations.observers[observations.observerOf[node] ?? -1];
    if (!observer) continue;
    const counts = observer.ageS <= latestS ? recent : outdated;
    for (let channel = 0; channel < 4; channel++) {
      const horizon = observer.horizons[channel] ?? -1;
      if (horizon < 0) continue;
      const among = (zone: Zone) => countUpTo(zone.hashes[channel] ?? [], horizon);
      const known = among(to.zone) - (to.without ? among(to.without) : 0);
      counts[channel] = (counts[channel] ?? 0) + known - (to.areObservers ? 1 : 0);
    }
  }
  const [recentMasks, outdatedMasks] = [new Uint32Array(16), new Uint32Array(16)];
  for (const entry of entries) {
    const isRecent = (observations.rowAgeS[observations.from[entry] ?? 0] ?? 0) <= latestS;
    const masks = isRecent ? recentMasks : outdatedMasks;
    const notOk = (observations.fail[entry] ?? 0) | (observations.unknown[entry] ?? 0);
    masks[notOk] = (masks[notOk] ?? 0) + 1;
  }
  const oks = recent.map((count, channel) => {
    const before = (outdated[channel] ?? 0) - countOn(outdatedMasks, channel);
    return Math.max(count - countOn(recentMasks, channel), 0) + outdatedShare * Math.max(before, 0);
  });
  return { entries, fails, oks, ageS, observers, targets };
}

/** The channels on which a region is observed, and those on which (nearly) all fails. */
export function masksOf({ fails, oks }: Region): { seen: number; failing: number; pure: number } {
  let [seen, failing, pure] = [0, 0, 0];
  for (let channel = 0; channel < 4; channel++) {
    const [failed, works] = [fails[channel] ?? 0, oks[channel] ?? 0];
    if (failed + works > 0.05) seen |= 1 << channel;
    if (failed > 0) failing |= 1 << channel;
    if (failed > 0 && failed >= leastShare * (failed + works)) pure |= 1 << channel;
  }
  return { seen, failing, pure };
}
