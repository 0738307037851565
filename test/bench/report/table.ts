import { alignColumns } from '../../../cli/view/tab-writer.js';
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
  return alignColumns(cells.map((row) => row.join('\t'))).replaceAll(/ +$/gm, '');
}
