import { megabytes, micros, short } from '../report/numbers.js';
import { logProgress } from '../progress.js';
import type { Summary } from '../statistics.js';
import { strategyNames } from '../strategies.js';
import { runStrategy, type StrategyCost } from './floor.js';
import type { Bench } from './step.js';

interface Result extends StrategyCost {
  readonly loadedBytes: number;
  readonly rttNs: Summary;
}

/** Each is about 150 GETs a second. */
const groupings = [
  { group: 1, everyMs: 7, text: '1 per 7 ms' },
  { group: 15, everyMs: 100, text: '15 per 100 ms' },
] as const;

/** Measures the cost of each strategy to send a GET, each in a process of its own. */
export async function measureHttpStrategies(bench: Bench): Promise<void> {
  for (const way of strategyNames) {
    logProgress(`ways to send a GET: ${way}`);
    const results: string[] = [];
    const rtts: string[] = [];
    let loadedBytes = 0;
    for (const { group, everyMs, text } of groupings) {
      const result = await runStrategy<Result>(bench, way, group, everyMs);
      bench.report.add('http-strategies', { way, group, everyMs, ...result });
      const failed = result.failures > 0 ? ` (${result.failures} failed)` : '';
      results.push(`${text}: ${short(result.cpuMsPerProbe)} ms${failed}`);
      loadedBytes = result.loadedBytes;
      rtts.push(`${micros(result.rttNs.median)}, p99 ${micros(result.rttNs.p99)}`);
    }
    bench.report.row({
      promise: `CPU per GET by ${way}, 150/s`,
      figure: results.join('; '),
      beside: `RTT median ${rtts.join('; ')}; ${megabytes(loadedBytes)} when loaded`,
    });
  }
}
