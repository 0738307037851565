import { maxRowChanges, changeSentForMs, type SeenChange } from '../model/row-host.js';

/**
 * What this agent itself saw change of nodes, beside what their hosts tell: in the node list, and the versions of their agents. A host
 * that starts again with another kernel or agent does not remember what it was.
 */
export class SeenChanges {
  readonly #byNode = new Map<string, readonly SeenChange[]>();
  readonly #versions = new Map<string, string>();

  note(node: string, change: SeenChange): void {
    const known = this.#byNode.get(node) ?? [];
    this.#byNode.set(node, [change, ...known].slice(0, maxRowChanges));
  }

  /** Notes the version of a node's agent. Returns the one before, where it was another one. */
  noteVersion(node: string, version: string): string | undefined {
    const before = this.#versions.get(node);
    this.#versions.set(node, version);
    return before === version ? undefined : before;
  }

  /** Those of the last hour, the newest first. */
  of(node: string, nowMs: number): readonly SeenChange[] {
    const known = this.#byNode.get(node) ?? [];
    return known.filter(({ foundMs }) => nowMs - foundMs <= changeSentForMs);
  }

  /** Forgets the nodes that are listed no more. */
  retain(isListed: (node: string) => boolean): void {
    for (const known of [this.#byNode, this.#versions])
      for (const node of known.keys()) if (!isListed(node)) known.delete(node);
  }
}
