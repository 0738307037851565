const minWidth = 2;
const padding = 3;

/**
 * Lays out tab-terminated cells as Go's text/tabwriter does with minimum width 2 and padding 3.
 * Neighbouring lines that have a cell in a column share the column's width. A line without that
 * cell ends the block. Text after the last tab belongs to no column.
 */
export function alignColumns(lines: readonly string[]): string {
  const cells = lines.map((line) => line.split('\t'));
  const widths = cells.map((): number[] => []);
  for (let start = 0; start < cells.length; start++) {
    const row = cells[start] ?? [];
    for (let column = widths[start]?.length ?? 0; column < row.length - 1; column++) {
      let end = start;
      let widest = 0;
      for (; end < cells.length && hasColumn(cells[end], column); end++) {
        widest = Math.max(widest, widthOf(cells[end]?.[column] ?? ''));
      }
      const width = Math.max(minWidth, widest + padding);
      for (let line = start; line < end; line++) {
        const shared = widths[line];
        if (shared?.length === column) shared.push(width);
      }
    }
  }
  let text = '';
  cells.forEach((row, line) => {
    const last = row.length - 1;
    for (let column = 0; column < last; column++) {
      const cell = row[column] ?? '';
      text += cell + ' '.repeat(Math.max((widths[line]?.[column] ?? 0) - widthOf(cell), 0));
    }
    text += `${row[last]}\n`;
  });
  return text;
}

const surrogate = /[\ud800-\udfff]/;

/** The number of code points, because Go counts these. */
function widthOf(cell: string): number {
  return surrogate.test(cell) ? Array.from(cell).length : cell.length;
}

function hasColumn(row: readonly string[] | undefined, column: number): boolean {
  return row !== undefined && row.length - 1 > column;
}
