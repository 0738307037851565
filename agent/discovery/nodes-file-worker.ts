import { once } from 'node:events';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { messageOf } from '../platform/errors.js';
import { readRegularFile } from '../platform/read-regular-file.js';
import { setV8Flags } from '../platform/v8-flags.js';
import { parseNodesFile } from './nodes-file.js';
import type { WorkerAnswer, WorkerQuestion } from './read-nodes.js';

// The flags are the process's, and a new thread sets them back.
setV8Flags();

// YAML of thousands of nodes takes seconds to read: here it stalls no probe and no request.
const { path, ...options } = workerData as WorkerQuestion;

function read(): ReturnType<typeof parseNodesFile> | { readonly error: string } {
  try {
    return parseNodesFile(readRegularFile(path, maxBytes), options);
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** Whoever gets a message reads it in one go: so many nodes take less than a millisecond. */
const nodesPerMessage = 500;

async function answer(port: MessagePort): Promise<void> {
  const send = (message: WorkerAnswer): void => port.postMessage(message);
  const nodes = read();
  if ('error' in nodes) {
    send(nodes);
    return;
  }
  for (let at = 0; at === 0 || at < nodes.length; at += nodesPerMessage) {
    // Messages that wait together are read together, so each part waits until it is asked for.
    if (at > 0) await once(port, 'message');
    const end = at + nodesPerMessage;
    send({ nodes: JSON.stringify(nodes.slice(at, end)), isLast: end >= nodes.length });
  }
}

/** Several times what 100,000 nodes take. */
const maxBytes = 64 * 1024 * 1024;

if (parentPort) await answer(parentPort);
