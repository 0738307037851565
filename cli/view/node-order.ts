import type { NodeStatus, Status } from '../../api/schema/status.js';

const surrogate = /[\ud800-\udfff]/;

/** Sorts the local node first, then the others by name in byte order. */
export function orderNodes({ local, nodes }: Status): NodeStatus[] {
  const compare = nodes.some(({ name }) => surrogate.test(name)) ? compareBytes : compareUnits;
  return [...nodes].sort((a, b) => {
    const localFirst = Number(b.name === local.name) - Number(a.name === local.name);
    return localFirst || compare(a.name, b.name);
  });
}

/** UTF-16 code units sort like UTF-8 bytes, except for surrogates. */
function compareUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
