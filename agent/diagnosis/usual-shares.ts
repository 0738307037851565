import { sizeOf } from './channels.js';
import { addShares, emptyShare, type DegradedPaths, type Share } from './degraded-counts.js';

/** For each protocol, the share of paths that is degraded without a particular cause. */
export type Usual = readonly [icmp: number, http: number];

/**
 * The least of three shares: among all nodes but the worst, within zones, and between zones. No
 * single cause raises all three.
 */
export function* usualShares(
  paths: DegradedPaths,
  listed: readonly number[],
): Generator<void, Usual> {
  const { observations, index } = paths;
  const bad = new Float64Array(index.size);
  for (const entry of listed) {
    for (const node of [observations.from[entry] ?? 0, observations.to[entry] ?? 0]) {
      bad[node] = (bad[node] ?? 0) + sizeOf(paths.open[entry] ?? 0);
    }
  }
  const spared = index.size < 8 ? 1 : 3;
  const worst = new Set(
    [...bad.keys()].sort((a, b) => (bad[b] ?? 0) - (bad[a] ?? 0)).slice(0, spared),
  );
  const all = paths.between(index.whole.members, index.whole, undefined, []);
  let within = emptyShare();
  for (const zone of index.zones) {
    within = addShares(within, paths.between(zone.members, zone, undefined, []));
    yield;
  }
  let across = addShares(all, {
    degraded: [0, 0, 0, 0],
    of: within.of.map((count) => -count),
  });
  const left = index.size - spared;
  const kept = (left * (left - 1)) / (index.size * (index.size - 1));
  let others: Share = { degraded: [0, 0, 0, 0], of: all.of.map((count) => count * kept) };
  const count = (entry: number): Share => {
    const share = emptyShare();
    paths.count(share, entry);
    return { degraded: share.degraded, of: [0, 0, 0, 0] };
  };
  for (const entry of listed) {
    const [from, to] = [observations.from[entry] ?? 0, observations.to[entry] ?? 0];
    const one = count(entry);
    const zone = index.zoneOf[from];
    if (zone !== -1 && zone === index.zoneOf[to]) within = addShares(within, one);
    else across = addShares(across, one);
    if (!worst.has(from) && !worst.has(to)) others = addShares(others, one);
  }
  const share = (of: Share, protocol: 0 | 1) => {
    const [a, b] = protocol === 0 ? [0, 2] : [1, 3];
    const degraded = (of.degraded[a] ?? 0) + (of.degraded[b] ?? 0);
    const looked = (of.of[a] ?? 0) + (of.of[b] ?? 0);
    return looked < 1 ? 1 : (degraded + 1) / (looked + 2);
  };
  const usual = (protocol: 0 | 1) => {
    const least = Math.min(...[others, within, across].map((of) => share(of, protocol)));
    return Math.min(Math.max(least * 1.5, 0.003), 0.5);
  };
  return [usual(0), usual(1)];
}
