import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { parseSort, sortRows, sortText, type SortValue } from '../model/sort.js';
import { TableScroller } from './table-scroller.js';

/** One column of a table that can be sorted by it. */
export interface Column<Row> {
  /** Names the column in the URL. */
  readonly id: string;
  readonly title: string;
  readonly isNumber?: boolean;
  readonly value: (row: Row) => SortValue;
  readonly cell: (row: Row) => ComponentChildren;
  /** The class of its cells, where they need one. */
  readonly class?: string;
}

interface SortableTableProps<Row> {
  readonly label: string;
  readonly caption?: string;
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[];
  /** In the order that they have until a reader sorts them. */
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** As a URL has it; undefined: the table keeps it, and a link to the view loses it. */
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
  readonly class?: string;
  /** How many rows are shown at first. */
  readonly pageSize?: number;
}

/** A table whose headings sort it. The first press sorts upwards, the next one downwards. */
export function SortableTable<Row>({
  label,
  caption,
  columns,
  rows,
  keyOf,
  sort: given,
  onSort,
  pageSize = 200,
  ...rest
}: SortableTableProps<Row>) {
  const [kept, keep] = useState('');
  const [shownCount, setShownCount] = useState(pageSize);
  const { column: sortedBy, isDescending } = parseSort(given ?? kept);
  const sorted = useMemo(() => {
    const column = columns.find(({ id }) => id === sortedBy);
    return column ? sortRows(rows, column.value, isDescending) : rows;
  }, [columns, rows, sortedBy, isDescending]);
  return (
    <>
      <TableScroller label={label}>
        <table {...rest}>
          {caption !== undefined && <caption>{caption}</caption>}
          <thead>
            <tr>
              {columns.map(({ id, title, isNumber }) => {
                const isSorted = id === sortedBy;
                const direction = isDescending ? 'descending' : 'ascending';
                const next = { column: id, isDescending: isSorted && !isDescending };
                return (
                  <th
                    key={id}
                    scope="col"
                    class={isNumber ? 'number' : undefined}
                    aria-sort={isSorted ? direction : undefined}
                  >
                    <button
                      type="button"
                      class="sort"
                      onClick={() => (onSort ?? keep)(sortText(next))}
                    >
                      {title}
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, shownCount).map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ id, cell, isNumber, class: own = '' }, at) => {
                  if (at === 0) {
                    return (
                      <th key={id} scope="row">
                        {cell(row)}
                      </th>
                    );
                  }
                  return (
                    <td key={id} class={`${isNumber ? 'number nowrap ' : ''}${own}`.trim()}>
                      {cell(row)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
      {sorted.length > shownCount && (
        <p class="pages">
          <button type="button" onClick={() => setShownCount(shownCount + pageSize)}>
            More rows
          </button>
          <span class="muted">
            {shownCount.toLocaleString('en')} of {sorted.length.toLocaleString('en')} are shown.
          </span>
        </p>
      )}
    </>
  );
}
