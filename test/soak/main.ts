import { mkdir, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { labFolder, labPrefix } from '../lab/lib/leftovers.js';
import { defaults, threeZones } from '../lab/lib/meshes.js';
import { missingFor } from '../lab/lib/requirements.js';
import { startMesh, type Mesh } from '../lab/lib/start-mesh.js';
import { environmentOf } from './handles.js';
import { help, readOptions, type Options } from './options.js';
import { logProgress } from './progress.js';
import { hasPrometheus, startPrometheus, type Prometheus } from './prometheus.js';
import { plotOf } from './report/plot.js';
import { rowsOf, tableOf } from './report/table.js';
import { soak, type Soaked } from './run.js';
import { metricsPort, Sampler } from './sampler.js';
import { warmUpOf } from './verdict.js';

export interface Start {
  /** The root folder of the repository. */
  readonly root: string;
  readonly argv: readonly string[];
}

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs the soak and resolves with the exit code. */
export async function main({ root, argv }: Start): Promise<number> {
  let options: Options;
  try {
    options = readOptions(argv);
  } catch (error) {
    process.stderr.write(`soak: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
  if (options.wantsHelp) {
    process.stdout.write(help);
    return 0;
  }
  const missing = missingFor(4);
  if (missing !== undefined) {
    process.stderr.write(`soak: cannot run here: ${missing}\n`);
    return 2;
  }
  const interrupted = new AbortController();
  let signalCode: number | undefined;
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      logProgress(`${signal}: cleaning up`);
      signalCode ??= code;
      interrupted.abort();
    });
  }
  try {
    const isWell = await runIn(root, options, interrupted.signal);
    return signalCode ?? (isWell ? 0 : 1);
  } catch (error) {
    // Ctrl-C reaches the agents too, so what fails after it is no news.
    if (signalCode !== undefined) return signalCode;
    process.stderr.write(`soak: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

async function runIn(root: string, options: Options, interrupted: AbortSignal): Promise<boolean> {
  const out = await makeOut(root, options.out);
  const programs = join(root, 'test', 'soak', 'programs');
  // Leftovers of a run that was killed are found by this name.
  const folder = labFolder(labPrefix());
  await mkdir(folder, { mode: 0o700 });
  let mesh: Mesh | undefined;
  let prometheus: Prometheus | undefined;
  try {
    Object.assign(process.env, environmentOf(folder, join(programs, 'tell-handles.js')));
    logProgress(`starting ${options.agents} agents`);
    const settings = { ...defaults, 'metrics-listen': `0.0.0.0:${metricsPort}` };
    const hosts = { hosts: options.agents, family: 4, zones: threeZones } as const;
    mesh = await startMesh({ ...hosts, settings }, interrupted);
    if (hasPrometheus()) prometheus = await startPrometheus(mesh.lab, folder);
    else logProgress('there is no command prometheus, so only the soak itself scrapes the agents');
    const sampler = new Sampler(mesh, { folder, programs });
    const samplesFile = join(out, 'samples.ndjson');
    const soaked = await soak(mesh, sampler, options, samplesFile, interrupted);
    const scraped = await prometheus?.summary().catch(() => 'it did not answer');
    return await report(out, options, sampler, soaked, scraped, interrupted.aborted);
  } finally {
    logProgress('stopping the agents');
    await prometheus?.stop();
    await mesh?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Prints and writes what was measured. Returns whether all is well. */
async function report(
  out: string,
  options: Options,
  { samples }: Sampler,
  { troubles, readers, open }: Soaked,
  scraped: string | undefined,
  isEndedEarly: boolean,
): Promise<boolean> {
  const warmUpMs = warmUpOf(options.runMs);
  const rows = rowsOf(samples, warmUpMs);
  const growing = rows.filter(({ judgement }) => judgement.grows !== undefined);
  const missing = rows.filter(({ judgement }) => judgement.isMissing);
  const { answers, unanswered, events, streams } = readers;
  const text = [
    `${options.agents} agents, ${(options.runMs / 60_000).toFixed(1)} minutes of faults and changes, seed ${options.seed}; ${samples.length} samples`,
    '',
    tableOf(rows),
    'Medians of all agents. Slopes are of all processes after their warm-up of',
    `${(warmUpMs / 60_000).toFixed(1)} minutes, with half of the 95 % interval. Timers and descriptors are of calm times.`,
    `${troubles.length} faults and changes; readers got ${answers} bodies (${unanswered} unanswered) and ${events} events in ${streams} streams`,
    `Prometheus: ${scraped ?? 'not here; the soak scraped the agents itself'}`,
    ...(growing.length + missing.length === 0 ? ['nothing grows'] : []),
    ...growing.map(({ figure, judgement }) => `FAILED: ${figure.title} grows: ${judgement.grows}`),
    ...missing.map(({ figure }) => `FAILED: ${figure.title} has no slope: too few samples`),
    ...(open.length === 0 ? ['no finding is open at the end'] : []),
    ...open.map((one) =>
      isEndedEarly
        ? `open when it was ended: ${one}`
        : `FAILED: open at the end without a fault: ${one}`,
    ),
    '',
  ].join('\n');
  process.stdout.write(text);
  await writeFile(join(out, 'table.txt'), text);
  await writeFile(join(out, 'plot.svg'), plotOf(samples, troubles));
  process.stdout.write(`samples, table and plot: ${out}\n`);
  return growing.length + missing.length + open.length === 0;
}

async function makeOut(root: string, given: string | undefined): Promise<string> {
  const date = new Date().toISOString().replaceAll(':', '-').slice(0, 19);
  const wanted = given ?? join('bench', 'results', `soak-${date}`);
  const folder = isAbsolute(wanted) ? wanted : join(root, wanted);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'samples.ndjson'), '');
  return folder;
}
