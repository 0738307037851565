import type { Node } from '../model/node.js';

/** Where the list of nodes comes from. */
export interface NodeSource {
  /**
   * Emits whole lists until it is stopped. A source that can tell at once what is wrong emits the
   * first list before this resolves; one that depends on another machine resolves without it,
   * waits as long as that takes, and reports its state meanwhile.
   * @throws ConfigError where there is no list to be had
   */
  start(onNodes: (nodes: readonly Node[]) => void): Promise<void>;
  stop(): void;
}
