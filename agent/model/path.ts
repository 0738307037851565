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
  const paths: Path[] = [];
  for (const node of nodes) {
    const { name, lifecycle } = node;
    if (name === localName || (lifecycle?.phase ?? 'active') !== 'active') continue;
    for (const plane of planes) {
      const [ip] = node[plane];
      if (ip !== undefined) paths.push({ node: name, plane, ip });
    }
  }
  return paths;
}

/** A text that is the same for the same path of the same node, and for no other. */
export function pathKey({ node, plane, ip }: Path, incarnation = ''): string {
  // V8 keeps a template as a tree of its parts, of three times the memory: tens of thousands of keys are kept.
  return [node, plane, ip, incarnation].join(' ');
}
