import { byteToRttNs, byteToState, decodeMatrixBytes } from '../../api/schema/v1/matrix-bytes.js';
import type { NodeMatrix, ZoneMatrix } from '../../api/schema/v1/matrix.js';
import { csvLine } from './csv.js';

/** Prints one line for each pair of zones. */
export function* zoneMatrixCsv({ cells }: ZoneMatrix): Generator<string> {
  yield csvLine(['from', 'to', 'pairs', 'failing', 'degraded', 'unknown', 'p50Ns', 'p99Ns']);
  for (const { from, to, pairs, failing, degraded, unknown, p50Ns, p99Ns } of cells) {
    yield csvLine([from, to, pairs, failing, degraded, unknown, p50Ns, p99Ns]);
  }
}

/** Prints one line for each cell. It yields one observer's row at a time. */
export function* nodeMatrixCsv(matrix: NodeMatrix): Generator<string> {
  const { states, rtts } = decodeMatrixBytes(matrix);
  yield csvLine(['from', 'to', 'state', 'rttNs', 'ageSeconds']);
  for (const [row, from] of matrix.rows.entries()) {
    const age = matrix.ages[row] ?? undefined;
    const lines = matrix.columns.map((to, column) => {
      const at = row * matrix.columns.length + column;
      return csvLine([from, to, byteToState(states[at] ?? 0), byteToRttNs(rtts[at] ?? 0), age]);
    });
    yield lines.join('');
  }
}
