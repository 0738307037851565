import { byteToRttNs, byteToState } from '../../api/schema/v1/matrix-bytes.js';
import { byteToChannels, type MatrixCells } from '../../api/schema/v1/matrix-cells.js';
import type { ZoneMatrix } from '../../api/schema/v1/matrix.js';
import { csvLine } from './csv.js';

const zoneColumns = ['from', 'to', 'plane', 'protocol', 'pairs', 'failing', 'lossy', 'slow'];

/** Prints one line for each pair of zones. */
export function* zoneMatrixCsv(matrix: ZoneMatrix): Generator<string> {
  yield csvLine([...zoneColumns, 'unknown', 'p50Ns', 'p99Ns']);
  for (const cell of matrix.cells) {
    const { from, to, pairs, failing, lossy, slow, unknown, p50Ns, p99Ns } = cell;
    const { plane = matrix.plane, protocol = matrix.protocol } = cell;
    const counts = [pairs, failing, lossy, slow, unknown, p50Ns, p99Ns];
    yield csvLine([from, to, plane, protocol, ...counts]);
  }
}

/** The names of the columns of `nodeMatrixCsv`. */
export function nodeMatrixCsvHead(): string {
  return csvLine(['from', 'to', 'state', 'channels', 'rttNs', 'ageSeconds', 'stale']);
}

/**
 * Prints one line for each cell, without the names of the columns. It yields one observer's row at
 * a time.
 */
export function* nodeMatrixCsv(matrix: MatrixCells): Generator<string> {
  const { rows, columns, states, rtts, channels, plane, protocol } = matrix;
  const channelsText = Array.from({ length: 16 }, (_, byte) =>
    byteToChannels(byte)
      .map((channel) => `${channel.plane}/${channel.protocol}`)
      .join(';'),
  );
  const only = plane && protocol ? `${plane}/${protocol}` : '';
  for (const [row, from] of rows.entries()) {
    const age = matrix.ages[row] ?? undefined;
    const stale = String(matrix.stale[row] ?? false);
    const lines = columns.map((to, column) => {
      const at = row * columns.length + column;
      const [state, rttNs] = [byteToState(states[at] ?? 0), byteToRttNs(rtts[at] ?? 0)];
      const by = channels ? channelsText[(channels[at] ?? 0) & 15] : only;
      return csvLine([from, to, state, by, rttNs, age, stale]);
    });
    yield lines.join('');
  }
}
