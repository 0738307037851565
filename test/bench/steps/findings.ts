import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { diagnoseSteps } from '../../../agent/diagnosis/diagnose.js';
import { FindingsRunner } from '../../../agent/cluster/findings-runner.js';
import { systemClock } from '../../../agent/platform/clock.js';
import { nodeEnvironment, nodeFlags } from '../../../agent/platform/node-start.js';
import { setTimeout as delay } from 'node:timers/promises';
import { diagnosisInput, eightLabels, type DiagnosisFigures } from '../diagnosis.js';
import { logProgress } from '../progress.js';
import { count, duration } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import type { Bench } from './step.js';

const [nodes, deadShare] = [5000, 0.3];
/** In all it is the processor time of one thread, that of an agent's event loop. */
const target = { threadMs: 40, stretchMs: 10, perSecond: 2, withGroups: 1.3 };
/** With fewer dead nodes than a row names each row is read, and in one second they take a tenth of the time at most. */
const fewDead = [
  { dead: 1, threadMs: 40 },
  { dead: 50, threadMs: 100 },
];

/** Measures the cost of the findings when much is broken, in a process that does nothing else and has the flags of an agent. */
export async function measureFindings({ programs, report, quick }: Bench): Promise<void> {
  const measure = async (share: number, runs: number, ...labels: string[]) => {
    const program = join(programs, 'diagnosis.mjs');
    const args = [...nodeFlags, program, ...[nodes, share, runs].map(String), ...labels];
    const env = { ...nodeEnvironment, ...process.env };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    return JSON.parse(stdout) as DiagnosisFigures;
  };
  const title = `${count(nodes)} nodes, 30 % dead`;
  logProgress(`${title}: findings`);
  const figures = await measure(deadShare, quick ? 10 : 30);
  const { threadMs, unpackMs, stretchMs, findings, unexplained } = figures;
  const perSecond = await runsPerSecond(quick ? 5 : 10);
  report.add('findings', { ...figures, perSecond });
  report.row({
    promise: `findings, ${title}`,
    target: `<= ${duration(target.threadMs)} of the thread's processor time in all, <= ${duration(target.stretchMs)} at a stretch`,
    figure: `${spreadOf(figures)}, longest stretch ${duration(stretchMs.max)} (median ${duration(stretchMs.p50)})`,
    beside: `${besideOf(figures)}; ${duration(unpackMs.p50)} to unpack rows; ${findings} findings, ${count(unexplained)} paths left over`,
    result: targetResult(threadMs.p50 <= target.threadMs, stretchMs.max <= target.stretchMs),
  });
  for (const few of fewDead) {
    const ofFew = await measure(few.dead / nodes, quick ? 10 : 30);
    report.add(`findings with ${few.dead} dead`, { ...ofFew });
    report.row({
      promise: `findings, ${count(nodes)} nodes, ${few.dead} dead`,
      target: `<= ${duration(few.threadMs)} of the thread's processor time in all`,
      figure: spreadOf(ofFew),
      beside: besideOf(ofFew),
      result: targetResult(ofFew.threadMs.p50 <= few.threadMs),
    });
  }
  const groups = await withGroups(quick ? 2 : 4, (...labels) =>
    measure(deadShare, quick ? 10 : 20, ...labels),
  );
  report.add('findings with groups', groups);
  report.row({
    promise: `findings with ${eightLabels.length} labels, against none, ${title}`,
    target: `<= ${target.withGroups} x`,
    figure: `${groups.times.toFixed(2)} x`,
    beside: `processor time of the thread ${duration(groups.withMs)} with, ${duration(groups.withoutMs)} without, by turns`,
    result: targetResult(groups.times <= target.withGroups),
  });
  report.row({
    promise: `findings worked out while rows change all the time, ${title}`,
    target: `<= ${target.perSecond} a second`,
    figure: `${perSecond.toFixed(2)} a second`,
    // The first run starts without a pause, so the rate can be a little above the limit.
    result: targetResult(perSecond <= target.perSecond * 1.05),
  });
}

/** The figure that is held against a target. */
function spreadOf({ threadMs }: DiagnosisFigures): string {
  const [median, least, most] = [threadMs.p50, threadMs.min, threadMs.max].map(duration);
  return `median ${median} (least ${least}, most ${most})`;
}

function besideOf({ cpuMs, wallMs }: DiagnosisFigures): string {
  const [cpu, wall] = [cpuMs.p50, wallMs.p50].map(duration);
  return `wall time ${wall}; processor time ${cpu} with garbage collection and compilation on other threads`;
}

/** The least median of the thread's processor time, with labels that cut across zones and without, measured by turns. */
async function withGroups(
  turns: number,
  measure: (...labels: string[]) => Promise<DiagnosisFigures>,
) {
  const least = { withMs: Infinity, withoutMs: Infinity };
  for (let turn = 0; turn < turns; turn++) {
    for (const [key, labels] of [
      ['withoutMs', []],
      ['withMs', ['labels']],
    ] as const) {
      const { threadMs } = await measure(...labels);
      least[key] = Math.min(least[key], threadMs.p50);
    }
  }
  return { ...least, times: least.withMs / least.withoutMs };
}

/**
 * How often the agent's own runner computes the findings while changes come every few milliseconds.
 */
async function runsPerSecond(seconds: number): Promise<number> {
  const input = diagnosisInput(nodes, Math.round(nodes * deadShare));
  let runs = 0;
  const runner = new FindingsRunner({
    clock: systemClock,
    diagnose: (previous) => diagnoseSteps({ ...input, rows: input.rows(), previous }),
    onResult: () => runs++,
  });
  const startMs = performance.now();
  while (performance.now() - startMs < seconds * 1000) {
    runner.notify();
    await delay(5);
  }
  runner.stop();
  return runs / ((performance.now() - startMs) / 1000);
}
