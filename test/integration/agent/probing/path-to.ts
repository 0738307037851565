import type { Path } from '../../../../agent/model/path.js';

/** A path to this address on the host plane of some node. */
export function pathTo(ip: string): Path {
  return { node: 'c/peer', plane: 'host', ip };
}
