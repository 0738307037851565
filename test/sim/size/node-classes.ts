import type { Layout } from '../../faults/fault.js';
import type { TimedTrouble } from './timed-troubles.js';

/** Nodes that no trouble of a round tells apart: to each of them the same happens at the same time. */
export interface NodeClasses {
  /** The number of a node's class. */
  readonly classOf: Uint16Array;
  /** The place of a node in its class. */
  readonly placeOf: Uint16Array;
  /** The nodes of each class, ascending. */
  readonly members: readonly (readonly number[])[];
}

/** Troubles of at most so many nodes may treat each of them in another way. */
const fewNodes = 2;

/** Sorts the nodes into classes by their zone and by the troubles that name them. */
export function nodeClasses(
  { names, zoneOf }: Layout,
  troubles: readonly TimedTrouble[],
): NodeClasses {
  const keys = names.map((_, node) => `${zoneOf[node] ?? 0}`);
  for (const [number, { trouble }] of troubles.entries()) {
    const { nodes = [] } = trouble;
    const isAlone = nodes.length <= fewNodes;
    const [first = -1] = nodes;
    for (const node of nodes) {
      // Of a cut between two groups the nodes on either side have other paths that fail.
      const side = trouble.touches(node, first) ? 'a' : 'b';
      keys[node] = `${keys[node] ?? ''} ${isAlone ? `n${node}` : `t${number}${side}`}`;
    }
  }
  const numbers = new Map<string, number>();
  const classOf = new Uint16Array(names.length);
  const placeOf = new Uint16Array(names.length);
  const members: number[][] = [];
  for (const [node, key] of keys.entries()) {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    classOf[node] = number;
    placeOf[node] = (members[number] ??= []).push(node) - 1;
  }
  return { classOf, placeOf, members };
}
