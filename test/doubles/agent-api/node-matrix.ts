import type { NodeMatrixBody, Plane, Protocol } from '../../../api/page/client/wire.js';
import type { MadeUpCluster } from './cluster.js';

export interface NodeMatrixQuery {
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly zone?: string | undefined;
  readonly nodes?: readonly string[] | undefined;
}

/** The body of `/v1/matrix?by=node`. */
export function nodeMatrixOf(
  cluster: MadeUpCluster,
  { plane, protocol, zone, nodes }: NodeMatrixQuery,
): NodeMatrixBody {
  const kept = cluster.nodes.filter(
    (node) =>
      (zone === undefined || node.zone === zone) &&
      (nodes === undefined || nodes.includes(node.name)),
  );
  const states = Buffer.alloc(kept.length ** 2);
  const rtts = Buffer.alloc(kept.length ** 2);
  let at = 0;
  for (const from of kept) {
    for (const to of kept) {
      const state = cluster.state(from, to, plane, protocol);
      states[at] = state;
      if (state === 2 || state === 3) {
        rtts[at] = Math.round(8 * Math.log2(cluster.rttNs(from, to, protocol) / 1000)) + 1;
      }
      at += 1;
    }
  }
  const names = kept.map(({ name }) => name);
  return {
    at: new Date().toISOString(),
    rows: names,
    columns: names,
    ages: kept.map(({ name, index }) => (cluster.silent.has(name) ? null : (index % 80) / 10)),
    states: states.toString('base64'),
    rtts: rtts.toString('base64'),
  };
}
