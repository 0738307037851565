import type { Node } from '../model/node.js';

/** Where the list of nodes comes from. */
export interface NodeSource {
  /**
   * Emits whole lists until it is stopped. A source that can check its input at once emits the
   * first list before this resolves. A source that depends on another machine resolves without a
   * list, waits as long as needed, and reports its state meanwhile.
   * @throws ConfigError where there is no list to be had
   */
  start(onNodes: (nodes: readonly Node[]) => void): Promise<void>;
  stop(): void;
}
