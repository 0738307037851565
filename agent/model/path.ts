import type { Node } from './node.js';

export type Plane = 'host' | 'endpoint';

export const planes: readonly Plane[] = ['host', 'endpoint'];

/** One address of one node on one plane. Its identity lasts as long as the node lists it. */
export interface Path {
  readonly node: string;
  readonly plane: Plane;
  readonly ip: string;
}

/** All paths of a node, the host plane's first. */
export function pathsOf(node: Node): Path[] {
  const plane = (name: Plane) =>
    node[name].map((ip): Path => ({ node: node.name, plane: name, ip }));
  return [...plane('host'), ...plane('endpoint')];
}

/** A text that is the same for the same path of the same node, and for no other. */
export function pathKey({ node, plane, ip }: Path, incarnation = ''): string {
  return `${node} ${plane} ${ip} ${incarnation}`;
}
