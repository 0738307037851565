import { join } from 'node:path';
import { buildEnvironment } from './environment/environment.js';
import { measurements, type Measurement } from './measurements.js';
import { help, readOptions, type Options } from './options.js';
import { planStages, titleOf } from './plan.js';
import { machine } from './report/machine.js';
import { Report } from './report/report.js';
import { writeResults } from './report/results-file.js';
import { tableOf } from './report/table.js';
import { hasNetPing, missingForAll, toolsHere, whyMissing } from './requirements.js';
import { logProgress } from './progress.js';
import { runStage } from './stage.js';
import { measureFindings } from './steps/findings.js';
import { measureExchange } from './steps/exchange.js';
import { measureFootprint } from './steps/footprint.js';
import { measureGet } from './steps/get.js';
import { measureKubernetes } from './steps/kubernetes.js';
import { measureKubernetesBytes } from './steps/kubernetes-bytes.js';
import { measurePathTests } from './steps/path-tests.js';
import { measureProbes } from './steps/probes.js';
import { measureHostSigns } from './steps/host-signs.js';
import { measureRows } from './steps/rows.js';
import { measureMetricsScrapes } from './steps/scrapes.js';
import { measureStalls } from './steps/stalls.js';
import { measureTargetCosts } from './steps/targets.js';
import { measureThroughput } from './steps/throughput.js';
import type { Bench } from './steps/step.js';

const withoutSizes: readonly (readonly [Measurement, (bench: Bench) => void | Promise<void>])[] = [
  ['footprint', measureFootprint],
  ['findings', measureFindings],
  ['rows', measureRows],
  ['host-signs', measureHostSigns],
  ['targets', measureTargetCosts],
  ['path-tests', measurePathTests],
  ['throughput', measureThroughput],
  ['metrics', measureMetricsScrapes],
  ['probes', measureProbes],
  ['stalls', measureStalls],
  ['kubernetes', measureKubernetes],
  ['get', measureGet],
];

const bySize = [
  ['exchange', measureExchange, [100, 1000, 5000]],
  ['kubernetes-bytes', measureKubernetesBytes, [1000, 5000]],
] as const;

export interface Start {
  /** The root folder of the repository. */
  readonly root: string;
  /** The folder of the bench's own programs. */
  readonly programs: string;
  readonly argv: readonly string[];
}

/**
 * Runs the bench and resolves with the exit code. A missed target is a result, not a failure of the
 * bench.
 */
export async function main({ root, programs, argv }: Start): Promise<number> {
  let options: Options;
  try {
    options = readOptions(argv);
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
  if (options.wantsHelp) {
    process.stdout.write(help);
    return 0;
  }
  const missing = missingForAll();
  if (missing !== undefined) {
    process.stdout.write(`skipped: ${[...options.only].join(', ')}: ${missing}\n`);
    return 0;
  }
  const [startedAt, about] = [new Date(), machine()];
  const report = new Report();
  const code = await measureAll({ root, programs, argv }, options, report);
  process.stdout.write(tableOf(report.rows));
  for (const { measurement, reason } of report.skipped) {
    process.stdout.write(`skipped: ${measurement}: ${reason}\n`);
  }
  for (const { measurement, reason } of report.failed) {
    process.stdout.write(`failed: ${measurement}: ${reason}\n`);
  }
  if (code <= 1) {
    const { quick } = options;
    const folder = join(root, 'bench', 'results');
    const path = await writeResults(folder, report, { startedAt, quick, machine: about });
    process.stdout.write(`all figures: ${path}\n`);
  }
  return code;
}

async function measureAll(
  { root, programs }: Start,
  options: Options,
  report: Report,
): Promise<number> {
  const agentProgram = join(root, 'dist', 'agent', 'main.js');
  const stopped = untilSignal();
  const ground = await buildEnvironment(agentProgram);
  try {
    const bench: Bench = {
      environment: ground,
      report,
      agentProgram,
      programs,
      quick: options.quick,
      cliProgram: join(root, 'dist', 'cli', 'main.js'),
      tools: toolsHere(),
      attempt: (what, action) => action().catch((error: unknown) => report.fail(what, error)),
    };
    return await Promise.race([
      measurePlanned(bench, withoutMissing(options, bench), root),
      stopped,
    ]);
  } finally {
    await ground.close();
  }
}

async function measurePlanned(bench: Bench, options: Options, root: string): Promise<number> {
  for (const stage of planStages(options)) {
    if (stage.engine === 'net-ping' && !hasNetPing(root)) {
      bench.report.skip('rtt of the net-ping engine', 'net-ping was not built here');
      continue;
    }
    await bench.attempt(titleOf(stage), () => runStage(bench, stage));
  }
  for (const [name, measure] of withoutSizes) {
    if (options.only.has(name)) await bench.attempt(name, async () => measure(bench));
  }
  for (const [name, measure, sizes] of bySize) {
    if (!options.only.has(name)) continue;
    for (const size of sizes.filter((one) => options.sizes.has(one))) {
      await bench.attempt(`${name}, ${size} nodes`, () => measure(bench, size));
    }
  }
  return bench.report.failed.length > 0 ? 1 : 0;
}

/** Leaves out measurements whose commands are missing, and reports the reason. */
function withoutMissing(options: Options, { report, tools }: Bench): Options {
  const only = [...options.only].filter((name) => {
    const lacking = measurements[name].needs.find((tool) => !tools.has(tool));
    if (lacking !== undefined) report.skip(name, whyMissing(lacking));
    return lacking === undefined;
  });
  return { ...options, only: new Set(only) };
}

/** Resolves with the exit code of the first signal to stop. */
function untilSignal(): Promise<number> {
  return new Promise((resolve) => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      process.on(signal, () => {
        logProgress(`${signal}: cleaning up`);
        resolve(code);
      });
    }
  });
}
