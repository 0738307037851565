import { channelNumber } from '../model/channel.js';
import { nameHash } from '../model/name-hash.js';
import type { RowPath } from '../model/row.js';
import type { Steps } from '../platform/time-slices.js';

/** This share of a row is for the nodes with the lowest hashes, whatever is wrong with them. */
const leastLowestShare = 0.25;
/** So large a share at most is for nodes of zones where few others are left out. */
const mostByZoneShare = 0.25;

/** The work between two yields, in paths or nodes. */
const slice = 2000;

/** The nodes that a row names, and how many others it has no room for. */
export interface NamedNodes {
  /** Those with the lowest hashes come first, where not all are named. */
  readonly nodes: readonly string[];
  /** Further ones, whose hashes say nothing of the others: with them all of their zones are named, or they fail. */
  readonly byZone: readonly string[];
  readonly omitted: number;
}

/** The zone of a node, '' where it has none; undefined where rows do not tell of its zone. */
export type ZoneOf = (node: string) => string | undefined;

/**
 * The nodes that a row names where it has no room for all: first all nodes with trouble on channels where few have it, then
 * all that do not answer where they are few and others lose packets, then all of the zones where few are left, then those whose names
 * have the lowest hashes. So a dead node is named also where ICMP fails to all nodes, where all paths lose packets, and beside
 * a zone that is cut off. Agents that see the same choose the same.
 */
export function* namedNodes(
  paths: readonly RowPath[],
  mostNodes: number,
  zoneOf: ZoneOf,
): Steps<NamedNodes> {
  const masks = yield* masksByNode(paths);
  if (masks.size <= mostNodes) return { nodes: [...masks.keys()], byZone: [], omitted: 0 };
  const mostRare = Math.floor(mostNodes * (1 - leastLowestShare));
  const rare = rareChannels(masks.values(), mostRare);
  const [first, rest]: [string[], string[]] = [[], []];
  for (const [node, mask] of masks) ((mask & rare) !== 0 ? first : rest).push(node);
  yield;
  const failing = rest.filter((node) => ((masks.get(node) ?? 0) & failingBit) !== 0);
  const room = mostRare - first.length;
  // A part of them, beside few others, would look as if nearly all failed.
  const beside = new Set(failing.length > room ? [] : failing);
  const mostByZone = Math.min(Math.floor(mostNodes * mostByZoneShare), room - beside.size);
  for (const node of ofSmallZones(rest, mostByZone, zoneOf)) beside.add(node);
  yield;
  const others = rest.filter((node) => !beside.has(node));
  const lowest = lowestHashes(others, mostNodes - first.length - beside.size);
  // An older agent takes what is not in the first list for well, up to the highest hash there.
  const highest = nameHash(lowest.at(-1) ?? '');
  const byZone = [...beside].filter((node) => nameHash(node) > highest);
  const within = [...beside].filter((node) => nameHash(node) <= highest);
  yield;
  return {
    nodes: lowestHashes([...first, ...within, ...lowest], mostNodes - byZone.length),
    byZone: lowestHashes(byZone, byZone.length),
    omitted: masks.size - mostNodes,
  };
}

/** All of these nodes of the zones that have the fewest of them, as many zones as there is room for. */
function ofSmallZones(nodes: readonly string[], room: number, zoneOf: ZoneOf): string[] {
  const byZone = new Map<string, string[]>();
  for (const node of nodes) {
    const zone = zoneOf(node);
    if (zone === undefined) continue;
    const members = byZone.get(zone);
    if (members) members.push(node);
    else byZone.set(zone, [node]);
  }
  const zones = [...byZone].sort(
    ([a, { length: ofA }], [b, { length: ofB }]) => ofA - ofB || (a < b ? -1 : 1),
  );
  const chosen: string[] = [];
  for (const [, members] of zones) {
    if (chosen.length + members.length > room) break;
    chosen.push(...members);
  }
  return chosen;
}

/** Stands beside the channels of a node that does not answer on one of them. */
const failingBit = 16;

/** The channels on which each node has trouble, one bit each. */
function* masksByNode(paths: readonly RowPath[]): Steps<Map<string, number>> {
  const masks = new Map<string, number>();
  let [last, mask]: [string | undefined, number] = [undefined, 0];
  for (const [at, { node, plane, protocol, state }] of paths.entries()) {
    if ((at + 1) % slice === 0) yield;
    if (node !== last) mask = masks.get(node) ?? 0;
    last = node;
    mask |= 1 << channelNumber(plane, protocol);
    if (state === 'unreachable') mask |= failingBit;
    masks.set(node, mask);
  }
  return masks;
}

/** As many channels as have room for all of their nodes together, those with the fewest first. */
function rareChannels(masks: Iterable<number>, room: number): number {
  // How many nodes have each set of channels.
  const nodesOf = new Uint32Array(16);
  for (const mask of masks) nodesOf[mask % failingBit] = (nodesOf[mask % failingBit] ?? 0) + 1;
  const countOn = (channels: number) =>
    nodesOf.reduce((sum, nodes, mask) => ((mask & channels) === 0 ? sum : sum + nodes), 0);
  const byCount = [1, 2, 4, 8].sort((a, b) => countOn(a) - countOn(b));
  let rare = 0;
  for (const channel of byCount) {
    if (countOn(rare | channel) > room) return rare;
    rare |= channel;
  }
  return rare;
}

/** The names with the lowest hashes, the lowest first: every agent chooses the same. */
export function lowestHashes(names: Iterable<string>, count: number): string[] {
  const all = [...names];
  const hashes = Float64Array.from(all, nameHash);
  // Sorting bare numbers takes a tenth of the time, and mostly few of thousands are wanted.
  const highest = all.length > count ? (hashes.slice().sort()[count - 1] ?? -1) : Infinity;
  const hashed: { readonly name: string; readonly hash: number }[] = [];
  for (const [at, name] of all.entries()) {
    const hash = hashes[at] ?? 0;
    if (hash <= highest) hashed.push({ name, hash });
  }
  hashed.sort((a, b) => a.hash - b.hash || (a.name < b.name ? -1 : 1));
  return hashed.slice(0, count).map(({ name }) => name);
}
