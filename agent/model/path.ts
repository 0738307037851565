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

/** The primary paths to all other nodes that are expected to answer, those of one node side by side. */
export function primaryPathsToOthers(nodes: readonly Node[], localName: string): Path[] {
  return nodes.flatMap(({ name, lifecycle, ...addresses }) => {
    if (name === localName || (lifecycle?.phase ?? 'active') !== 'active') return [];
    return planes.flatMap((plane): Path[] => {
      const [ip] = addresses[plane];
      return ip === undefined ? [] : [{ node: name, plane, ip }];
    });
  });
}

/** A text that is the same for the same path of the same node, and for no other. */
export function pathKey({ node, plane, ip }: Path, incarnation = ''): string {
  return `${node} ${plane} ${ip} ${incarnation}`;
}
