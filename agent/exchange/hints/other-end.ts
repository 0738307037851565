import type { Row } from '../../model/row.js';
import type { HintSubject } from './hint.js';
import { manyNodes } from './lone-witness.js';

export interface OtherEndOptions {
  readonly localName: string;
  /** Probes a path now. */
  readonly probe: (subject: HintSubject) => void;
  /** Called with a peer whose row says that it does not reach this node, before the probes. */
  readonly onTelling: (peer: string) => void;
}

/**
 * Probes the paths to a peer at once when its row says that it does not reach this node. What fails between two nodes only these
 * two see, and each sees one direction. So the second one need not wait until these paths have their turn.
 */
export class OtherEnd {
  readonly #options: OtherEndOptions;
  readonly #telling = new Set<string>();

  constructor(options: OtherEndOptions) {
    this.#options = options;
  }

  /** Takes a new row of a peer. One that fails to reach many nodes is more likely at fault itself, and hints tell of it. */
  noteRow({ observer, paths }: Pick<Row, 'observer' | 'paths'>): void {
    const { localName, probe, onTelling } = this.#options;
    const failing = paths.filter(({ state }) => state === 'unreachable');
    const isOfFew = new Set(failing.map(({ node }) => node)).size < manyNodes;
    const here = isOfFew ? failing.filter(({ node }) => node === localName) : [];
    if (here.length === 0) {
      this.#telling.delete(observer);
      return;
    }
    this.#telling.add(observer);
    onTelling(observer);
    for (const { plane, protocol } of here) probe({ node: observer, plane, protocol });
  }

  /** Whether the last row of a peer said that it does not reach this node, and few others at most. */
  isTelling(peer: string): boolean {
    return this.#telling.has(peer);
  }

  /** Forgets the peers that are listed no more. */
  retain(isListed: (peer: string) => boolean): void {
    for (const peer of this.#telling) if (!isListed(peer)) this.#telling.delete(peer);
  }
}
