import { listOf, mappingOf, textOf } from '../object-fields.js';

/** The only row of a Table. */
export interface TableRow<Column> {
  /** What stands in a column; empty where the Table has none of that name. */
  readonly cell: (column: Column) => string;
  /** All cells but that of one column, as a text. */
  readonly textWithout: (column: Column) => string;
}

/** Where what stands in the rows of a watch. Its first event says so. */
export class TableColumns<Column extends string> {
  #indexOf: ReadonlyMap<string, number>;
  #columns: number;

  /** @param expected those that are read; until the server says which there are, these in this order */
  constructor(expected: readonly Column[]) {
    this.#indexOf = new Map(expected.map((name, index) => [name, index]));
    this.#columns = expected.length;
  }

  /** The row of a Table; undefined where it has not one, or one that was cut: nobody knows what stands where in it. */
  rowOf(table: unknown): TableRow<Column> | undefined {
    const { columnDefinitions, rows } = mappingOf(table);
    this.#note(listOf(columnDefinitions));
    const [row, ...more] = listOf(rows);
    const cells = listOf(mappingOf(row)['cells']).map(textOf);
    if (more.length > 0 || cells.length < this.#columns) return undefined;
    const indexOf = (column: Column) => this.#indexOf.get(column) ?? -1;
    return {
      cell: (column) => cells[indexOf(column)] ?? '',
      textWithout: (column) => JSON.stringify(cells.filter((_, at) => at !== indexOf(column))),
    };
  }

  #note(definitions: readonly unknown[]): void {
    if (definitions.length === 0) return;
    this.#columns = definitions.length;
    this.#indexOf = new Map(
      definitions.map((definition, index) => [textOf(mappingOf(definition)['name']), index]),
    );
  }
}
