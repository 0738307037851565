import type { Row } from './report.js';

// The verdict first: the other columns grow wider than a terminal.
const titles = ['', 'promise', 'target', 'figure', 'beside it, in the same run'] as const;

/** The rows as columns of text. */
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
