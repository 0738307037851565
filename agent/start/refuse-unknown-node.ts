import { unknownNameText } from '../../api/routes/v1/unknown-name.js';
import { unknownNode } from '../reports/v1/node-entries.js';
import type { ResultStore } from '../results/result-store.js';

/** Refuses a request to test or measure a node that is not listed, and says which one was probably meant. */
export function refuseUnknownNode(
  node: string,
  store: Pick<ResultStore, 'snapshot'>,
  clusterName: string,
) {
  const unknown = unknownNode({ nodes: store.snapshot().nodes, clusterName }, node);
  return { refused: 'unknown-node', text: unknownNameText('node', node, unknown) } as const;
}
