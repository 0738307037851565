import type { Path, Plane } from '../model/path.js';
import type { NodeDirectory } from './node-directory.js';

/**
 * The paths of which an agent expects an answer: those to the first addresses of other active nodes. External addresses
 * often do not answer from inside, and excluded nodes may be off: failures there say nothing of the agent's own network.
 */
export class ExpectedPaths {
  readonly #directory: NodeDirectory;
  readonly #localName: string;

  constructor(directory: NodeDirectory, localName: string) {
    this.#directory = directory;
    this.#localName = localName;
  }

  has(path: Path): boolean {
    const { node } = path;
    const isOther = node !== this.#localName;
    return (
      isOther && this.#directory.get(node)?.isActive === true && this.#directory.isPrimary(path)
    );
  }

  /** To how many nodes there are some. */
  get nodes(): number {
    return this.#directory.list.nodes - (this.#isOwnActive ? 1 : 0);
  }

  /** How many there are on a plane. */
  count(plane: Plane): number {
    const own = this.#isOwnActive && this.#directory.primaryPath(this.#localName, plane);
    return this.#directory.activePaths(plane) - (own ? 1 : 0);
  }

  get #isOwnActive(): boolean {
    return this.#directory.get(this.#localName)?.isActive === true;
  }
}
