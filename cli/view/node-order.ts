import type { NodeStatus, Status } from '../../api/schema/status.js';

/** The local node first, then the others by name in byte order. */
export function orderNodes({ local, nodes }: Status): NodeStatus[] {
  const keyed = nodes.map((node) => ({ node, bytes: Buffer.from(node.name) }));
  keyed.sort((a, b) => {
    const localFirst = Number(b.node.name === local.name) - Number(a.node.name === local.name);
    return localFirst || Buffer.compare(a.bytes, b.bytes);
  });
  return keyed.map(({ node }) => node);
}
