import type { Plane, Protocol } from '../../../api/schema/v1/fields.js';
import type { NodeMatrix } from '../../../api/schema/v1/matrix.js';
import { encodeMatrixBytes, rttToByte } from '../../../api/schema/v1/matrix-bytes.js';
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
): NodeMatrix {
  const kept = cluster.members.filter(
    (node) =>
      (zone === undefined || node.zone === zone) &&
      (nodes === undefined || nodes.includes(node.name)),
  );
  const states = new Uint8Array(kept.length ** 2);
  const rtts = new Uint8Array(kept.length ** 2);
  let at = 0;
  for (const from of kept) {
    for (const to of kept) {
      const state = cluster.state(from, to, plane, protocol);
      states[at] = state;
      const answers = state === 2 || state === 3;
      rtts[at++] = rttToByte(answers ? cluster.rttNs(from, to, protocol) : undefined);
    }
  }
  const names = kept.map(({ name }) => name);
  return {
    at: new Date().toISOString(),
    rows: names,
    columns: names,
    ages: kept.map(({ name, index }) => (cluster.silent.has(name) ? null : (index % 80) / 10)),
    ...encodeMatrixBytes({ states, rtts }),
  };
}
