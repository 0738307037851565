import type { UnknownZone } from '../../../api/routes/v1/source.js';
import { nameHash } from '../../model/name-hash.js';
import { nearestName } from '../../model/nearest-name.js';
import type { Node } from '../../model/node.js';
import { listGroupOf, listGroups, type RowCoverage } from '../../model/row-coverage.js';
import { countBelow } from './count-below.js';

/** Some nodes of a zone. */
export interface ZoneNodes {
  readonly names: ReadonlySet<string>;
  /** How many of them a row tells nothing of by a channel, if it names none of them. */
  readonly notCovered: (coverage: RowCoverage, channel: number) => number;
}

/** The zone of a node; empty if it has none. */
export function zoneOf({ zone }: Node): string {
  return zone ?? '';
}

/** The first of these zones that no node is in, if there is one. */
export function unknownZone(
  nodes: readonly Node[],
  ...wanted: readonly (string | undefined)[]
): UnknownZone | undefined {
  const zones = new Set(nodes.map(zoneOf));
  const zone = wanted.find((one) => one !== undefined && !zones.has(one));
  if (zone === undefined) return undefined;
  const names = [...zones].filter((one) => one !== '');
  return { zone, nearest: nearestName(zone, names) };
}

/** The nodes of each zone, or with each value of another label. */
export function groupNodes(
  nodes: readonly Node[],
  valueOf: (node: Node) => string,
): ReadonlyMap<string, ZoneNodes> {
  const byZone = new Map<string, string[]>();
  for (const node of nodes) {
    const value = valueOf(node);
    const names = byZone.get(value);
    if (names) names.push(node.name);
    else byZone.set(value, [node.name]);
  }
  return new Map([...byZone].map(([zone, names]) => [zone, zoneNodes(names)]));
}

function zoneNodes(names: readonly string[]): ZoneNodes {
  const hashes: number[][] = Array.from({ length: listGroups }, () => []);
  for (const hash of names.map(nameHash)) hashes[listGroupOf(hash)]?.push(hash);
  for (const ofGroup of hashes) ofGroup.sort((a, b) => a - b);
  const count = (horizon: number, groups: number): number => {
    let count = 0;
    for (const [group, ofGroup] of hashes.entries()) {
      const isKnown = ((groups >> group) & 1) === 1;
      count += ofGroup.length - (isKnown ? countBelow(ofGroup, horizon + 1) : 0);
    }
    return count;
  };
  // Thousands of rows mostly tell of the same nodes.
  let last = { horizon: -1, groups: 0, count: names.length };
  return {
    names: new Set(names),
    notCovered({ horizons, groups }, channel) {
      const horizon = horizons[channel] ?? -1;
      if (horizon !== last.horizon || groups !== last.groups) {
        last = { horizon, groups, count: count(horizon, groups) };
      }
      return last.count;
    },
  };
}
