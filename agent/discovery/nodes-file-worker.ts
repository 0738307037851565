import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../errors.js';
import { parseNodesFile } from './nodes-file.js';
import type { WorkerAnswer, WorkerQuestion } from './read-nodes.js';

// YAML of thousands of nodes takes seconds to read: here it stalls no probe and no request.
const { path, clusterName } = workerData as WorkerQuestion;

function answer(): WorkerAnswer {
  try {
    return { nodes: parseNodesFile(readFileSync(path, 'utf8'), clusterName) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

parentPort?.postMessage(answer());
