import type { Random } from '../../../fuzz/random.js';
import type { Layout } from '../../../faults/fault.js';

/** A random cluster of 3 to 400 nodes in one to six zones of different sizes. */
export function randomLayout(random: Random): Layout {
  const nodes = Math.round(3 * (400 / 3) ** random.next());
  const zones = 1 + random.below(Math.min(6, nodes));
  // The zones have different sizes, and none is empty.
  const weights = Array.from({ length: zones }, () => 0.3 + random.next());
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return layoutOf(nodes, zones, (node) => {
    if (node < zones) return node;
    let left = random.next() * total;
    return Math.max(
      0,
      weights.findIndex((weight) => (left -= weight) <= 0),
    );
  });
}

/** A layout with this many nodes and zones. */
export function layoutOf(nodes: number, zones: number, zoneOf: (node: number) => number): Layout {
  const names = Array.from({ length: nodes }, (_, node) => `c/n${node + 1}`);
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  return {
    names,
    zoneOf: names.map((_, node) => zoneOf(node)),
    zones: Array.from({ length: zones }, (_, zone) => `zone-${letters[zone] ?? zone + 1}`),
  };
}
