import type { PerChannel } from '../../model/channel.js';
import type { Row, RowCounts, RowList } from '../../model/row.js';
import { SharedValues } from '../shared-values.js';
import type { RowHead } from './head.js';
import type { NodeNumbers } from './kept-values.js';
import type { RowPaths } from './paths.js';

/** The interval and timeout of an observer: they say how long its row is fresh. */
export type Believed = Pick<Row, 'httpIntervalMs' | 'httpTimeoutMs'>;

/** What was read of the row that was read last. */
export interface LastRead {
  readonly row: Row;
  head?: RowHead;
  counts?: PerChannel<RowCounts>;
  reported?: RowPaths;
}

/** What the kept rows of all observers have in common. */
export class SharedParts {
  readonly numbers: NodeNumbers;
  /** What was read of the row that was read last: readers take its paths more than once. */
  last: LastRead | undefined;
  /** The longest interval and timeout that are believed of an observer. They follow this agent's own, which grow with its node list. */
  mostBelieved: Believed = { httpIntervalMs: Infinity, httpTimeoutMs: Infinity };
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

/** What is believed of what a row says: no more than the most. */
export function believedOf(reported: Believed, most: Believed): Believed {
  return {
    httpIntervalMs: Math.min(reported.httpIntervalMs, most.httpIntervalMs),
    httpTimeoutMs: Math.min(reported.httpTimeoutMs, most.httpTimeoutMs),
  };
}

const noNumbers: NodeNumbers = {
  numberOfNode: () => undefined,
  nodeOfNumber: () => undefined,
};
