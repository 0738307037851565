import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../platform/errors.js';
import { setV8Flags } from '../platform/v8-flags.js';
import { parseNodesFile } from './nodes-file.js';
import type { WorkerAnswer, WorkerQuestion } from './read-nodes.js';

// The flags are the process's, and a new thread sets them back.
setV8Flags();

// YAML of thousands of nodes takes seconds to read: here it stalls no probe and no request.
const { path, clusterName } = workerData as WorkerQuestion;

function answer(): WorkerAnswer {
  try {
    return { nodes: parseNodesFile(readRegularFile(path), clusterName) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** Several times what 100,000 nodes take. */
const maxBytes = 64 * 1024 * 1024;

/** Opening a pipe would wait for its writer without end. */
function readRegularFile(name: string): string {
  const file = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new Error('it is no regular file');
    if (found.size > maxBytes) {
      throw new Error(`expected at most ${maxBytes} bytes, got ${found.size}`);
    }
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

parentPort?.postMessage(answer());
