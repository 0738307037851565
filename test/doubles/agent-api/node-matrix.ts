import type { Plane, Protocol } from '../../../api/schema/v1/fields.js';
import type { NodeMatrix } from '../../../api/schema/v1/matrix.js';
import { encodeMatrixBytes, rttToByte } from '../../../api/schema/v1/matrix-bytes.js';
import type { MadeUpCluster } from './cluster.js';

export interface NodeMatrixQuery {
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly zone?: string | undefined;
  readonly toZone?: string | undefined;
  readonly nodes?: readonly string[] | undefined;
}

/** The body of `/v1/matrix?by=node`. */
export function nodeMatrixOf(
  cluster: MadeUpCluster,
  { plane, protocol, zone, toZone = zone, nodes }: NodeMatrixQuery,
): NodeMatrix {
  const ofZone = (wanted: string | undefined) =>
    cluster.members.filter(
      (node) =>
        (wanted === undefined || node.zone === wanted) &&
        (nodes === undefined || nodes.includes(node.name)),
    );
  const [rows, columns] = [ofZone(zone), ofZone(toZone)];
  const states = new Uint8Array(rows.length * columns.length);
  const rtts = new Uint8Array(rows.length * columns.length);
  let at = 0;
  for (const from of rows) {
    for (const to of columns) {
      const state = cluster.state(from, to, plane, protocol);
      states[at] = state;
      const answers = state === 2 || state === 3;
      rtts[at++] = rttToByte(answers ? cluster.rttNs(from, to, protocol) : undefined);
    }
  }
  return {
    at: new Date().toISOString(),
    rows: rows.map(({ name }) => name),
    columns: columns.map(({ name }) => name),
    ages: rows.map(({ name, index }) => (cluster.silent.has(name) ? null : (index % 80) / 10)),
    ...encodeMatrixBytes({ states, rtts }),
  };
}
