const minWidth = 2;
const padding = 3;

/**
 * Lays out lines of tab-terminated cells as Go's text/tabwriter does with minimum width 2 and
 * padding 3: a column's width is shared by neighbouring lines that have that cell, the text after
 * the last tab is in no column, and a line without that cell ends the block.
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

/** Code points, as Go counts them. */
function widthOf(cell: string): number {
  return surrogate.test(cell) ? Array.from(cell).length : cell.length;
}

function hasColumn(row: readonly string[] | undefined, column: number): boolean {
  return row !== undefined && row.length - 1 > column;
}
