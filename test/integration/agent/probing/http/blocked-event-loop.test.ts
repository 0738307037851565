import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import type { Sample } from '../../../../../agent/model/sample.js';
import { monitorEventLoop } from '../../../../../agent/platform/event-loop.js';
import { createHttpProber } from '../../../../../agent/probing/http/http-prober.js';
import { openTcpInfo } from '../../../../../agent/probing/http/tcp-info.js';
import { pathTo } from '../path-to.js';

const eventLoop = monitorEventLoop();
const readTcpInfo = await openTcpInfo();
afterAll(() => eventLoop.stop());

/** In each round the process is blocked at another moment, or not at all. */
const rounds = Number(process.env['MESHPROBE_TEST_ROUNDS'] ?? 60);

/** A busy machine taints nearly all. Then there are more rounds, until enough of each kind were seen. */
const mostRounds = 10 * rounds;
const leastOfEach = rounds / 20;

/** An untainted RTT must be more exact than this. */
const tolerableNs = 5e6;

/** The length of the block in each round, and when it begins. */
const blocks = [
  [0, 0],
  [25, 0],
  [12, 0],
  [25, 25],
  [0, 0],
  [8, 29],
] as const;

/** Resolves right after the event loop was checked, in the same turn. */
function rightAfterCheck(): Promise<void> {
  return new Promise((resolve) => onceChecked.push(resolve));
}

const onceChecked: (() => void)[] = [];
const checkEveryMs = 20;
const checks = setInterval(() => {
  for (const resolve of onceChecked.splice(0)) resolve();
}, checkEveryMs);
afterAll(() => clearInterval(checks));

function block(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

describe.each([
  ['at once', 0],
  ['after 30 ms', 30],
])('with a peer on a thread of its own that answers %s', (_, delayMs) => {
  test.skipIf(process.platform !== 'linux')(
    'every RTT that is wrong by more than 5 ms is tainted, whenever the process is blocked',
    async () => {
      const stamp = new SharedArrayBuffer(16);
      const answeredNs = new BigInt64Array(stamp);
      const worker = new Worker(new URL('./stamping-server.js', import.meta.url), {
        workerData: { stamp, delayMs },
      });
      const [port] = (await once(worker, 'message')) as [number];
      const prober = createHttpProber({ port, eventLoop, readTcpInfo });
      let [unmarked, falseOnes, falseUnmarked] = [0, 0, 0];
      let round = 0;
      const isTellingEnough = (): boolean =>
        round >= rounds && unmarked > leastOfEach && falseOnes > leastOfEach;
      for (; round < mostRounds && !isTellingEnough(); round++) {
        await rightAfterCheck();
        const startedNs = process.hrtime.bigint();
        const sample = new Promise<Sample>((resolve) =>
          prober.probe(pathTo('127.0.0.1'), 2000, resolve),
        );
        // A block right after a check ends before the next check is late enough to count as a
        // stall.
        const [blockMs, afterMs] = blocks[round % blocks.length] ?? [0, 0];
        if (afterMs === 0) setImmediate(() => block(blockMs));
        else setTimeout(() => block(blockMs), afterMs);
        const settled = await sample;
        if (settled.outcome !== 'reply' || !settled.http?.tcpRttNs)
          throw new Error('expected an RTT');
        // The peer itself may have been delayed around its answer, which is not this process's
        // delay.
        const [before = 0n, after = 0n] = answeredNs;
        const endedNs = startedNs + BigInt(Math.round(settled.rttNs));
        const readLateNs = Number(endedNs - (after > before ? after : before));
        const connectedLateNs = settled.http.connectNs - settled.http.tcpRttNs;
        const isFalse = readLateNs + connectedLateNs > tolerableNs;
        if (isFalse) falseOnes++;
        if (!settled.tainted) unmarked++;
        if (isFalse && !settled.tainted) falseUnmarked++;
      }
      prober.close();
      await worker.terminate();
      const found = { round, unmarked, falseOnes, falseUnmarked };
      expect(falseUnmarked, JSON.stringify(found)).toBe(0);
      // Without this check, a prober that marks nothing or everything would pass.
      expect(falseOnes).toBeGreaterThan(leastOfEach);
      expect(unmarked).toBeGreaterThan(leastOfEach);
    },
    120_000,
  );
});
