import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.js';
import type { FlowVerdict } from './flow-counts.js';
import type { FlowPath, FlowResult, FlowResults } from './flow-results.js';

/** How often the paths are checked. */
const checkMs = 2000;

export interface FlowTesterOptions {
  readonly results: FlowResults;
  readonly clock: Pick<Clock, 'nowMs' | 'wallMs'>;
  /** The primary paths that are reachable and lose probes by HTTP. */
  readonly lossyPaths: () => readonly FlowPath[];
  /** How many nodes there are. */
  readonly nodes: () => number;
  /** The address of a path now; undefined if it is listed no more. */
  readonly addressOf: (path: FlowPath) => string | undefined;
  /** Tests the flows to an address; undefined if that could not be done. */
  readonly test: (ip: string, signal: AbortSignal) => Promise<FlowVerdict | undefined>;
  readonly onResult: (path: FlowPath, result: FlowResult) => void;
}

/** Tests the flows of paths that lose probes, one path at a time. Returns how to stop it. */
export function startFlowTester(options: FlowTesterOptions): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  void run(options, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return () => stopping.abort();
}

async function run(options: FlowTesterOptions, signal: AbortSignal): Promise<void> {
  for (;;) {
    await delay(checkMs, undefined, { signal, ref: false });
    await testNext(options, signal);
  }
}

/** Tests the path that is due, if there is one. Exported for tests. */
export async function testNext(options: FlowTesterOptions, signal: AbortSignal): Promise<void> {
  const { results, clock, lossyPaths, nodes, addressOf, test, onResult } = options;
  const path = results.next(lossyPaths(), nodes(), clock.nowMs());
  if (!path) return;
  results.begin(path, clock.nowMs());
  const ip = addressOf(path);
  const verdict = ip === undefined ? undefined : await test(ip, signal);
  if (ip === undefined || !verdict) return;
  const result = { ...verdict, ip, testedAt: clock.wallMs(), testedMs: clock.nowMs() };
  results.take(path, result);
  onResult(path, result);
}
