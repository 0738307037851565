import { assignUniqueAddresses } from './assign-unique-addresses.js';
import type { Node } from '../model/node.js';
import type { NodeSource } from './node-source.js';

/**
 * Several node sources as one, the earlier before the later where both claim an address or a name.
 * The first list waits for all of them, but not longer than `waitMs` after the first has come: one
 * source that is away takes none of the others with it.
 */
export function mergeSources(sources: readonly NodeSource[], waitMs = 5000): NodeSource {
  const lists = new Map<number, readonly Node[]>();
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;
  let isStopped = false;

  function emit(onNodes: (nodes: readonly Node[]) => void): void {
    if (isStopped || (!isDue && lists.size < sources.length)) return;
    isDue = true;
    clearTimeout(timer);
    const byName = new Map<string, Node>();
    for (const node of sources.flatMap((_, index) => lists.get(index) ?? [])) {
      if (!byName.has(node.name)) byName.set(node.name, node);
    }
    onNodes(assignUniqueAddresses([...byName.values()]));
  }

  return {
    async start(onNodes) {
      const starts = sources.map((source, index) =>
        source.start((nodes) => {
          lists.set(index, nodes);
          timer ??= setTimeout(() => {
            isDue = true;
            emit(onNodes);
          }, waitMs);
          emit(onNodes);
        }),
      );
      await Promise.all(starts);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      for (const source of sources) source.stop();
    },
  };
}
