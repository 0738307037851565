import { byteToState, stateToByte } from '../../api/schema/v1/matrix-bytes.js';
import { byteToChannels, channelText, type MatrixCells } from '../../api/schema/v1/matrix-cells.js';
import { countText } from './age-text.js';
import { escapeText } from './escape.js';
import { alignColumns } from './tab-writer.js';

const maxLines = 5;
const allChannels = 15;
const names: Readonly<Record<string, string>> = {
  unreachable: 'unreachable',
  'lossy-or-slow': 'lossy or slow',
};

/** Cells that are bad in the same way: to one node, in one state, by the same channels. */
interface Group {
  readonly column: number;
  readonly state: number;
  readonly channels: number;
  readonly firstRow: number;
  count: number;
}

/**
 * Says of a matrix of the worst channels which ones they are: one line for the cells of a node that
 * are bad in the same way, the most first.
 */
export function channelLines(matrix: MatrixCells, states: Uint8Array): string[] {
  const groups = groupsOf(matrix, states);
  if (groups.length === 0) return [];
  const lines = groups.slice(0, maxLines).map(({ column, state, channels, firstRow, count }) => {
    const to = escapeText(matrix.columns[column] ?? '');
    const from = count === 1 ? escapeText(matrix.rows[firstRow] ?? '') : `${count} observers`;
    const by =
      channels === allChannels
        ? 'all channels'
        : byteToChannels(channels).map(channelText).join(', ');
    return `${to}\t${names[byteToState(state)] ?? ''}\t${by}\tfrom ${from}`;
  });
  const left = groups.length - maxLines;
  return [
    '',
    ...alignColumns(lines).trimEnd().split('\n'),
    ...(left > 0 ? [`and ${countText(left, 'more line')}: meshprobe matrix --by node -o csv`] : []),
  ];
}

function groupsOf({ rows, columns, channels }: MatrixCells, states: Uint8Array): Group[] {
  if (!channels) return [];
  const bad = [stateToByte('unreachable'), stateToByte('lossy-or-slow')];
  const groups = new Map<number, Group>();
  for (let row = 0; row < rows.length; row++) {
    for (let column = 0; column < columns.length; column++) {
      const at = row * columns.length + column;
      const state = states[at] ?? 0;
      if (!bad.includes(state)) continue;
      const byte = (channels[at] ?? 0) & 15;
      const key = (column * 8 + state) * 16 + byte;
      const group = groups.get(key);
      if (group) group.count++;
      else groups.set(key, { column, state, channels: byte, firstRow: row, count: 1 });
    }
  }
  return [...groups.values()].sort((a, b) => b.state - a.state || b.count - a.count);
}
