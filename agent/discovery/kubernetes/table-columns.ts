import { listOf, mappingOf, textOf } from '../object-fields.js';

/** The only row of a Table. */
export interface TableRow<Column> {
  /** The text in a column; empty where the Table has no column of that name. */
  readonly cell: (column: Column) => string;
  /** All cells but that of one column, as a text. */
  readonly textWithout: (column: Column) => string;
}

/** Which cell of a row is of which column. The first event of a watch says so. */
export class TableColumns<Column extends string> {
  #indexOf: ReadonlyMap<string, number>;
  #columns: number;

  /** @param expected the columns that are read; until the server names its columns, these in this order are taken for them */
  constructor(expected: readonly Column[]) {
    this.#indexOf = new Map(expected.map((name, index) => [name, index]));
    this.#columns = expected.length;
  }

  /** The row of a Table. Undefined where it has none or several, or one with too few cells, of which it is unknown which are missing. */
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
