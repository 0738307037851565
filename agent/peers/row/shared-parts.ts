import type { PerChannel } from '../../model/channel.js';
import type { Row, RowCounts, RowList } from '../../model/row.js';
import { SharedValues } from '../shared-values.js';
import type { RowHead } from './head.js';
import type { NodeNumbers } from './kept-values.js';
import type { ToldPaths } from './paths.js';

/** What was read of the row that was read last. */
export interface LastRead {
  readonly row: Row;
  head?: RowHead;
  counts?: PerChannel<RowCounts>;
  told?: ToldPaths;
}

/** What the kept rows of all observers have in common. */
export class SharedParts {
  readonly numbers: NodeNumbers;
  /** What was read of the row that was read last: readers take its paths more than once. */
  last: LastRead | undefined;
  readonly #texts = new SharedValues<readonly string[]>();
  readonly #lists = new SharedValues<RowList>();

  /** @param numbers left out, no node is known by a number */
  constructor(numbers: NodeNumbers = noNumbers) {
    this.numbers = numbers;
  }

  /** The same texts as another row has, if one has them. */
  shareTexts(texts: readonly string[]): readonly string[] {
    return this.#texts.share(JSON.stringify(texts), texts);
  }

  /** The list that was parsed before from that text, or else this one. */
  readonly shareList = (text: string, nodes: number, parse: () => RowList): RowList =>
    this.#lists.of(`${nodes} ${text}`, parse);
}

const noNumbers: NodeNumbers = {
  numberOfNode: () => undefined,
  nodeOfNumber: () => undefined,
};
