import { createServer } from 'node:net';
import process from 'node:process';
import { setTimeout } from 'node:timers';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Answers each connection after `delayMs`. It stamps the time right before and right after, so any
 * later delay is the reader's.
 */
const stamp = new BigInt64Array(workerData.stamp);
const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}';
const server = createServer((socket) => {
  socket.on('error', () => socket.destroy());
  socket.once('data', () =>
    setTimeout(() => {
      stamp[0] = process.hrtime.bigint();
      socket.end(answer);
      stamp[1] = process.hrtime.bigint();
    }, workerData.delayMs),
  );
});
server.listen(0, '127.0.0.1', () =>
  parentPort?.postMessage(/** @type {import('node:net').AddressInfo} */ (server.address()).port),
);
