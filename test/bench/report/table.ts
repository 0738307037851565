import type { Row } from './report.js';

// The result comes first, because the other columns can be wider than a terminal.
const titles = ['', 'promise', 'target', 'figure', 'beside it, in the same run'] as const;

/** Prints the rows as a table of text. */
export function tableOf(rows: readonly Row[]): string {
  const cells = [
    [...titles],
    ...rows.map(({ promise, target, figure, beside, result: verdict }) => [
      verdict,
      promise,
      target === '' ? '-' : target,
      figure,
      beside === '' ? '-' : beside,
    ]),
  ];
  const widths = titles.map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
