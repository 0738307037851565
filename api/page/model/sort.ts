import { compareNames } from './natural-order.js';

/** By which column a table is sorted, and whether its largest value comes first. */
export interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** What a row has in a column. Text is in natural order; a row without a value comes last. */
export type SortValue = string | number | undefined;

/** Reads a sort from a URL: the id of a column, with a `-` before it if descending. */
export function parseSort(text: string): Sort {
  const isDescending = text.startsWith('-');
  return { column: isDescending ? text.slice(1) : text, isDescending };
}

/** Writes a sort for a URL. `parseSort` reads the same sort from it. */
export function sortText({ column, isDescending }: Sort): string {
  return `${isDescending ? '-' : ''}${column}`;
}

/**
 * Sorts rows by what `valueOf` says of each. Rows with the same value keep their order, in both
 * directions, and rows without a value come last in both.
 */
export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => SortValue,
  isDescending: boolean,
): Row[] {
  const keyed = rows.map((row) => ({ row, value: valueOf(row) }));
  keyed.sort((a, b) => {
    const [one, other] = [a.value, b.value];
    if (one === undefined || other === undefined) {
      return Number(one === undefined) - Number(other === undefined);
    }
    const order =
      typeof one === 'number' && typeof other === 'number'
        ? one - other
        : compareNames(String(one), String(other));
    return isDescending ? -order : order;
  });
  return keyed.map(({ row }) => row);
}
