import { join } from 'node:path';
import { startCommand } from '../environment/child.js';
import { probePort } from '../environment/environment.js';
import { count, megabytes, micros, short } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { logProgress } from '../progress.js';
import { median, type Summary } from '../statistics.js';
import { agentStrategy, bareStrategy, strategyNames, type StrategyName } from '../strategies.js';
import { runStrategy, type StrategyCost } from './floor.js';
import type { Bench } from './step.js';

interface Result extends StrategyCost {
  readonly loadedBytes: number;
  readonly rttNs: Summary;
}

interface Memory {
  readonly heapBytes: number;
  readonly failures: number;
}

/** Each is about 150 GETs a second. The agent sends at most four at once. */
const groupings = [
  { group: 1, everyMs: 7, text: '1 per 7 ms' },
  { group: 4, everyMs: 27, text: '4 per 27 ms' },
  { group: 15, everyMs: 100, text: '15 per 100 ms' },
] as const;
const sizes = [12, 20_000] as const;
/** What is kept for a node, or for all: the others keep nothing. */
const memoryOfThese: readonly StrategyName[] = [
  'undici Agent',
  'undici Client kept for each node',
  'undici Clients used again',
  agentStrategy,
];
/** Of what undici's own documentation would have us write. */
const mostTimes = 1.2;
const turns = 5;

/** Measures the cost of each strategy to send a GET, each in a process of its own. */
export async function measureHttpStrategies(bench: Bench): Promise<void> {
  for (const way of strategyNames) {
    logProgress(`ways to send a GET: ${way}`);
    const results: Result[] = [];
    for (const { group, everyMs } of groupings) {
      const result = await runStrategy<Result>(bench, way, group, everyMs);
      bench.report.add('http-strategies', { way, group, everyMs, ...result });
      results.push(result);
    }
    bench.report.row({
      promise: `CPU per GET by ${way}, 150/s`,
      figure: results.map(costText).join('; '),
      beside: `RTT median ${results.map(rttText).join('; ')}; ${megabytes(results[0]?.loadedBytes ?? NaN)} when loaded`,
    });
  }
  for (const way of memoryOfThese) {
    logProgress(`ways to send a GET: the memory of ${way}`);
    bench.report.row({
      promise: `heap by ${way}, after a GET to each node`,
      figure: await memoryOf(bench, way),
    });
  }
  await compareWithBare(bench);
}

/** Both in turns, because the machine is never the same for long. */
async function compareWithBare(bench: Bench): Promise<void> {
  logProgress(`ways to send a GET: ${agentStrategy} and ${bareStrategy} in turns`);
  const texts: string[] = [];
  const times: number[] = [];
  for (const { group, everyMs, text } of groupings) {
    const [own, bare]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < turns; turn++) {
      bare.push((await runStrategy(bench, bareStrategy, group, everyMs)).cpuMsPerProbe);
      own.push((await runStrategy(bench, agentStrategy, group, everyMs)).cpuMsPerProbe);
    }
    const [ownMs, bareMs] = [median(own), median(bare)];
    bench.report.add('http-strategies', { group, everyMs, ownMs: own, bareMs: bare });
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

async function memoryOf(
  { environment, programs, report }: Bench,
  way: StrategyName,
): Promise<string> {
  const texts: string[] = [];
  for (const nodes of sizes) {
    const { output } = startCommand(environment.agentNamespace, [
      ...[process.execPath, '--expose-gc', join(programs, 'http-memory.mjs')],
      ...[way, `${probePort}`, `${nodes}`],
    ]);
    const memory = JSON.parse((await output).stdout) as Memory;
    report.add('http-strategies', { way, nodes, ...memory });
    const failed = memory.failures > 0 ? ` (${memory.failures} failed)` : '';
    texts.push(`${count(nodes)} nodes: ${megabytes(memory.heapBytes)}${failed}`);
  }
  return texts.join('; ');
}

function costText({ cpuMsPerProbe, failures }: Result, at: number): string {
  const failed = failures > 0 ? ` (${failures} failed)` : '';
  return `${groupings[at]?.text ?? ''}: ${short(cpuMsPerProbe)} ms${failed}`;
}

function rttText({ rttNs }: Result): string {
  return `${micros(rttNs.median)}, p99 ${micros(rttNs.p99)}`;
}
