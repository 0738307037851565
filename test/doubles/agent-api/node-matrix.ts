import { planes, protocols, type Channel } from '../../../api/schema/v1/fields.js';
import type { NodeMatrix } from '../../../api/schema/v1/matrix.js';
import {
  badnessOfByte,
  encodeMatrixBytes,
  rttToByte,
} from '../../../api/schema/v1/matrix-bytes.js';
import type { MatrixQuery } from '../../../api/schema/v1/queries.js';
import type { MadeUpCluster } from './cluster.js';

const all = planes.flatMap((plane) => protocols.map((protocol) => ({ plane, protocol })));

/** The channels that a query asks for. */
export function channelsOf({ plane, protocol }: Pick<MatrixQuery, 'plane' | 'protocol'>) {
  return all.filter(
    (channel): channel is Channel =>
      (plane === 'worst' || channel.plane === plane) &&
      (protocol === 'worst' || channel.protocol === protocol),
  );
}

/** The body of `/v1/matrix?by=node`. */
export function nodeMatrixOf(
  cluster: MadeUpCluster,
  { plane, protocol, zone, toZone = zone, nodes, rowsAfter }: Omit<MatrixQuery, 'by'>,
): NodeMatrix {
  const ofZone = (wanted: string | undefined) =>
    cluster.members
      .filter(
        (node) =>
          (wanted === undefined || node.zone === wanted) &&
          (nodes === undefined || nodes.includes(node.name)),
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  const columns = ofZone(toZone);
  const left = ofZone(zone).filter(({ name }) => rowsAfter === undefined || name > rowsAfter);
  const rows = left.slice(0, cluster.maxRows);
  const count = rows.length * columns.length;
  const [states, rtts] = [new Uint8Array(count), new Uint8Array(count)];
  const worst = new Uint8Array(count);
  const asked = channelsOf({ plane, protocol });
  let at = 0;
  for (const from of rows) {
    for (const to of columns) {
      states[at] = 5;
      for (const channel of asked) {
        const state = cluster.state(from, to, channel.plane, channel.protocol);
        const worse = badnessOfByte(state) - badnessOfByte(states[at] ?? 0);
        if (worse < 0) continue;
        const bit = 1 << all.indexOf(channel);
        worst[at] = worse > 0 ? bit : (worst[at] ?? 0) | bit;
        states[at] = state;
        const answers = state === 2 || state === 3;
        rtts[at] = rttToByte(answers ? cluster.rttNs(from, to, channel.protocol) : undefined);
      }
      at++;
    }
  }
  const omittedRows = left.length - rows.length;
  return {
    at: new Date().toISOString(),
    rows: rows.map(({ name }) => name),
    columns: columns.map(({ name }) => name),
    ...(omittedRows > 0 && { omittedRows }),
    ages: rows.map(({ name, index }) => {
      if (cluster.silent.has(name)) return null;
      return cluster.stale.has(name) ? 135 : (index % 80) / 10;
    }),
    stale: rows.map(({ name }) => cluster.stale.has(name)),
    ...encodeMatrixBytes({ states, rtts, ...(asked.length > 1 && { channels: worst }) }),
  };
}
