import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../platform/errors.js';
import { readRegularFile } from '../platform/read-regular-file.js';
import { setV8Flags } from '../platform/v8-flags.js';
import { parseNodesFile } from './nodes-file.js';
import type { WorkerAnswer, WorkerQuestion } from './read-nodes.js';

// The flags are the process's, and a new thread sets them back.
setV8Flags();

// YAML of thousands of nodes takes seconds to read: here it stalls no probe and no request.
const { path, clusterName } = workerData as WorkerQuestion;

function answer(): WorkerAnswer {
  try {
    return { nodes: parseNodesFile(readRegularFile(path, maxBytes), clusterName) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** Several times what 100,000 nodes take. */
const maxBytes = 64 * 1024 * 1024;

parentPort?.postMessage(answer());
