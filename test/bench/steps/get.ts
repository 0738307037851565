import { short } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { logProgress } from '../progress.js';
import { median } from '../statistics.js';
import { agentStrategy, bareStrategy } from '../strategies.js';
import { runStrategy } from './floor.js';
import type { Bench } from './step.js';

/** Each is about 150 GETs a second. The agent sends at most four at once. */
const groupings = [
  { group: 1, everyMs: 7, text: '1 per 7 ms' },
  { group: 4, everyMs: 27, text: '4 per 27 ms' },
  { group: 15, everyMs: 100, text: '15 per 100 ms' },
] as const;
/** Of what undici's own documentation would have us write. */
const mostTimes = 1.2;
const turns = 5;

/** Measures the agent's GET and a bare one in turns, because the machine is never the same for long. */
export async function measureGet(bench: Bench): Promise<void> {
  logProgress(`a GET: ${agentStrategy} and ${bareStrategy} in turns`);
  const texts: string[] = [];
  const times: number[] = [];
  for (const { group, everyMs, text } of groupings) {
    const [own, bare]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < turns; turn++) {
      bare.push((await runStrategy(bench, bareStrategy, group, everyMs)).cpuMsPerProbe);
      own.push((await runStrategy(bench, agentStrategy, group, everyMs)).cpuMsPerProbe);
    }
    const [ownMs, bareMs] = [median(own), median(bare)];
    bench.report.add('get', { group, everyMs, ownMs: own, bareMs: bare });
    times.push(ownMs / bareMs);
    texts.push(`${text}: ${short(ownMs)} of ${short(bareMs)} ms = ${short(ownMs / bareMs)} x`);
  }
  bench.report.row({
    promise: `CPU per GET, ${agentStrategy} against a bare ${bareStrategy}`,
    target: `<= ${mostTimes} x`,
    figure: texts.join('; '),
    beside: `the middle of ${turns} turns`,
    result: targetResult(...times.map((one) => one <= mostTimes)),
  });
}
