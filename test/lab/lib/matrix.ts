import { alignColumns } from '../../../cli/view/tab-writer.js';
import type { Cell } from './cells.js';

interface Entry {
  readonly cell: Cell;
  /** The reason why the check failed. */
  readonly lack: string | undefined;
}

/**
 * The cells as a text table: a line for each source and target, a column for each plane and
 * protocol.
 */
export function matrix(entries: readonly Entry[]): string {
  const columns = distinct(entries, ({ plane, protocol }) => `${plane} ${protocol}`);
  const rows = distinct(entries, ({ source, target }) => `${source} -> ${target}`);
  const body = rows.map((row) => [
    row,
    ...columns.map((column) => {
      const entry = entries.find(
        ({ cell }) =>
          row === `${cell.source} -> ${cell.target}` && column === `${cell.plane} ${cell.protocol}`,
      );
      return entry ? cellText(entry) : '';
    }),
  ]);
  return alignColumns([['', ...columns], ...body].map((row) => row.join('\t'))).trimEnd();
}

function cellText({ cell, lack }: Entry): string {
  const failing = cell.failures > 0 ? ` ${cell.failures} failed` : '';
  const seen = `${cell.state}${failing}`;
  if (lack === undefined) return seen;
  return `${seen}${cell.reason === undefined ? '' : `: ${cell.reason}`} (! ${lack})`;
}

function distinct(entries: readonly Entry[], key: (cell: Cell) => string): string[] {
  return [...new Set(entries.map(({ cell }) => key(cell)))];
}
