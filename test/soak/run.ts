import { setMaxListeners } from 'node:events';
import { appendFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../bench/statistics.js';
import { Random } from '../fuzz/random.js';
import type { Mesh } from '../lab/lib/start-mesh.js';
import type { Sample } from './figures.js';
import type { Options } from './options.js';
import { logProgress } from './progress.js';
import { readUntil, type ReaderCounts } from './readers.js';
import type { Sampler } from './sampler.js';
import { chooseSteps } from './steps.js';

/** A time in which something was done to the cluster. */
export interface Trouble {
  readonly what: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Soaked {
  readonly troubles: readonly Trouble[];
  readonly readers: ReaderCounts;
  /** The findings that are still open at the end, by host. */
  readonly open: readonly string[];
}

const fewestSamplesInRun = 100;
const [shortestGapMs, longestGapMs] = [5000, 30_000];
const tellEveryMs = 60_000;
/** A finding of loss may take ten minutes to close. */
const settleDeadlineMs = 12 * 60_000;

/**
 * Makes trouble for the time of the run, then waits until no agent has a finding, and takes samples
 * meanwhile.
 * @param samplesFile each sample is appended to it as a line of JSON
 * @param interrupted ends it early, as if the time were over
 * @throws Error if an agent has ended by itself
 */
export async function soak(
  mesh: Mesh,
  sampler: Sampler,
  { runMs, seed }: Options,
  samplesFile: string,
  interrupted: AbortSignal,
): Promise<Soaked> {
  const failed = new AbortController();
  const over = new AbortController();
  // Each reader listens.
  setMaxListeners(0, over.signal);
  const stopped = AbortSignal.any([failed.signal, interrupted]);
  const troubles: Trouble[] = [];
  let trouble: Omit<Trouble, 'toMs'> | undefined;
  let isQuiet = true;
  let last: readonly Sample[] = [];

  async function makeTroubles(): Promise<void> {
    const endMs = sampler.nowMs + runMs;
    for (const step of chooseSteps(mesh.lab.hosts, new Random(seed))) {
      const leftMs = endMs - sampler.nowMs;
      if (leftMs < step.lastsMs || stopped.aborted) break;
      // Else the run would end with a finding that is open for good reason.
      if (leftMs < step.lastsMs + step.closesMs) continue;
      logProgress(`${step.what}, for ${(step.lastsMs / 1000).toFixed(0)} s`);
      isQuiet = false;
      trouble = { what: step.what, fromMs: sampler.nowMs };
      const repair = await step.begin(mesh);
      await pause(step.lastsMs);
      await repair();
      troubles.push({ ...trouble, toMs: sampler.nowMs });
      isQuiet = true;
      await pause(Math.min(step.restMs, Math.max(0, endMs - sampler.nowMs)));
    }
    await pause(Math.max(0, endMs - sampler.nowMs));
  }

  async function takeSamples(): Promise<void> {
    const gapMs = Math.min(Math.max(runMs / fewestSamplesInRun, shortestGapMs), longestGapMs);
    let toldMs = -Infinity;
    while (!over.signal.aborted) {
      const [fromMs, wasQuiet] = [sampler.nowMs, isQuiet];
      last = await sampler.look(() => isQuiet);
      const lines = last.map((sample) => `${JSON.stringify(sample)}\n`);
      await appendFile(samplesFile, lines.join(''));
      if (fromMs - toldMs >= tellEveryMs) {
        logProgress(describe(last, fromMs, runMs, wasQuiet ? undefined : trouble?.what));
        toldMs = fromMs;
      }
      const leftMs = Math.max(0, gapMs - (sampler.nowMs - fromMs));
      await delay(leftMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  }

  /** Returns what stays open. */
  async function settle(): Promise<string[]> {
    await mesh.repairAll();
    const endMs = sampler.nowMs + settleDeadlineMs;
    if (!stopped.aborted) logProgress('all is repaired; waiting until no finding is open');
    for (;;) {
      const fromMs = sampler.nowMs;
      while (!stopped.aborted && !(last[0] && last[0].ms > fromMs)) await pause(500);
      const open = last.flatMap(({ host, findings }) =>
        findings === undefined ? [`${host}: no answer`] : findings.map((id) => `${host}: ${id}`),
      );
      if (open.length === 0 || stopped.aborted || sampler.nowMs > endMs) return open;
    }
  }

  async function pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: stopped }).catch(() => undefined);
  }

  /** Ends all others where one fails. */
  async function guarded<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      failed.abort();
      over.abort();
      throw error;
    }
  }

  const ending = (async () => {
    try {
      await makeTroubles();
      return await settle();
    } finally {
      over.abort();
    }
  })();
  const reading = readUntil(mesh, new Random(seed + 1), over.signal);
  const results = await Promise.allSettled([
    guarded(ending),
    guarded(reading),
    guarded(takeSamples()),
  ]);
  const [open, readers] = results;
  const refused = results.find((result) => result.status === 'rejected');
  if (refused) throw refused.reason;
  if (open.status === 'rejected' || readers.status === 'rejected') throw new Error('unreachable');
  return { troubles, readers: readers.value, open: open.value };
}

function describe(
  samples: readonly Sample[],
  ms: number,
  runMs: number,
  what: string | undefined,
): string {
  const middle = (of: (sample: Sample) => number | undefined) =>
    median(samples.flatMap((sample) => of(sample) ?? []));
  const ids = new Set(samples.flatMap(({ findings = [] }) => findings));
  return [
    `${Math.min(100, Math.round((ms / runMs) * 100))} % of the run`,
    `${samples.length} agents`,
    `private ${middle(({ values }) => values.private).toFixed(1)} MB`,
    `${middle(({ values }) => values.descriptors)} descriptors`,
    `${middle(({ values }) => values.series)} series`,
    `${ids.size} findings`,
    ...(what === undefined ? [] : [what]),
  ].join(', ');
}
