import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ConfigError } from '../platform/errors.js';
import type { Node } from '../model/node.js';
import { labelSharing } from '../model/node-labels.js';
import type { NodesFileOptions } from './nodes-file.js';

export interface WorkerQuestion extends NodesFileOptions {
  readonly path: string;
}

/**
 * A part of the nodes as JSON, or why there are none. The next part comes when any message asks for it. Where
 * objects are sent, V8 may give each copied array room for fifteen more items: 5 MB for 20,000 nodes.
 */
export type WorkerAnswer =
  { readonly nodes: string; readonly isLast: boolean } | { readonly error: string };

/**
 * Reads and validates a nodes file on a separate thread, so that even a large file does not block
 * the caller's event loop.
 * @throws ConfigError where the file cannot be read or is not valid
 */
export async function readNodes(worker: URL, question: WorkerQuestion): Promise<readonly Node[]> {
  const thread = new Worker(worker, { workerData: question });
  const unanswered = once(thread, 'exit').then(() => {
    throw new Error('its reader ended without an answer');
  });
  // An answer comes before the exit; then the exit changes nothing.
  unanswered.catch(() => undefined);
  const nodes: Node[] = [];
  const shared = labelSharing();
  for (;;) {
    const [answer] = (await Promise.race([once(thread, 'message'), unanswered])) as [WorkerAnswer];
    if ('error' in answer) throw new ConfigError(answer.error);
    for (const node of JSON.parse(answer.nodes) as Node[]) {
      nodes.push(node.labels ? { ...node, labels: shared(node.labels) } : node);
    }
    if (answer.isLast) return nodes;
    thread.postMessage('next');
  }
}
