import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../errors.js';
import { parseNodesFile } from './nodes-file.js';
import type { WorkerAnswer, WorkerQuestion } from './read-nodes.js';

// YAML of thousands of nodes takes seconds to read: here it stalls no probe and no request.
const { path, clusterName } = workerData as WorkerQuestion;

function answer(): WorkerAnswer {
  try {
    return { nodes: parseNodesFile(readRegularFile(path), clusterName) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** Opening a pipe would wait for its writer without end. */
function readRegularFile(name: string): string {
  const file = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is no regular file');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

parentPort?.postMessage(answer());
