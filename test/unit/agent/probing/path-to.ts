import type { Path } from '../../../../agent/model/path.js';

/** A path of some node to an address. */
export function pathTo(ip: string): Path {
  return { node: 'c/peer', plane: 'host', ip };
}
