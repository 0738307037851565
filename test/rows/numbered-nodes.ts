import type { Node } from '../../agent/model/node.js';

/** So many nodes from `c/n0` on, with an address on each plane. */
export const numberedNodes = (count: number): Node[] =>
  Array.from({ length: count }, (_, at) => {
    const ending = `${at >> 8}.${at & 255}`;
    return { name: `c/n${at}`, host: [`10.0.${ending}`], endpoint: [`10.1.${ending}`] };
  });
