import { assignUniqueAddresses } from './assign-unique-addresses.js';
import type { Node } from '../model/node.js';
import type { NodeSource } from './node-source.js';

/**
 * Merges several node sources. If two claim an address or a name, the earlier source gets it. The
 * first list waits for all sources, but at most `waitMs` after the first one: one missing source
 * does not hold up the others.
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
