import { diagnoseSteps } from '../../../agent/diagnosis/diagnose.js';
import { FindingsRunner } from '../../../agent/cluster/findings-runner.js';
import { systemClock } from '../../../agent/platform/clock.js';
import { setTimeout as delay } from 'node:timers/promises';
import { diagnosisInput, eightLabels, measureDiagnosis } from '../diagnosis.js';
import { logProgress } from '../progress.js';
import { count, duration } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import type { Bench } from './step.js';

const [nodes, deadShare] = [5000, 0.3];
const target = { workMs: 40, stretchMs: 10, perSecond: 2, withGroups: 1.3 };
/** With fewer dead nodes than a row names each row is read, and in one second they take a tenth of the time at most. */
const fewDead = [
  { dead: 1, workMs: 40 },
  { dead: 50, workMs: 100 },
];

/**
 * Measures the cost of the findings when much is broken, in this process and with nothing else
 * running.
 */
export async function measureFindings({ report, quick }: Bench): Promise<void> {
  const title = `${count(nodes)} nodes, 30 % dead`;
  logProgress(`${title}: findings`);
  const figures = measureDiagnosis(nodes, deadShare, quick ? 10 : 30);
  const { workMs, cpuMs, unpackMs, stretchMs, findings, unexplained } = figures;
  const perSecond = await runsPerSecond(quick ? 5 : 10);
  report.add('findings', { ...figures, perSecond });
  report.row({
    promise: `findings, ${title}`,
    target: `<= ${duration(target.workMs)} in all, <= ${duration(target.stretchMs)} at a stretch`,
    figure: `median ${duration(workMs.p50)} (least ${duration(workMs.min)}, most ${duration(workMs.max)}), longest stretch ${duration(stretchMs.max)} (median ${duration(stretchMs.p50)})`,
    beside: `processor time ${duration(cpuMs.p50)}, of it ${duration(unpackMs.p50)} to unpack rows; ${findings} findings, ${count(unexplained)} paths left over`,
    result: targetResult(workMs.p50 <= target.workMs, stretchMs.max <= target.stretchMs),
  });
  for (const few of fewDead) {
    const { workMs: work, cpuMs: cpu } = measureDiagnosis(nodes, few.dead / nodes, quick ? 10 : 30);
    report.add(`findings with ${few.dead} dead`, { workMs: work, cpuMs: cpu });
    report.row({
      promise: `findings, ${count(nodes)} nodes, ${few.dead} dead`,
      target: `<= ${duration(few.workMs)} in all`,
      figure: `median ${duration(work.p50)} (least ${duration(work.min)}, most ${duration(work.max)})`,
      beside: `processor time ${duration(cpu.p50)}`,
      result: targetResult(work.p50 <= few.workMs),
    });
  }
  const groups = withGroups(quick ? 2 : 4, quick ? 5 : 10);
  report.add('findings with groups', groups);
  report.row({
    promise: `findings with ${eightLabels.length} labels, against none, ${title}`,
    target: `<= ${target.withGroups} x`,
    figure: `${groups.times.toFixed(2)} x`,
    beside: `processor time ${duration(groups.withMs)} with, ${duration(groups.withoutMs)} without, by turns`,
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

/** The least median of the processor time, with labels that cut across zones and without, measured by turns. */
function withGroups(turns: number, runs: number) {
  const least = { withMs: Infinity, withoutMs: Infinity };
  for (let turn = 0; turn < turns; turn++) {
    for (const [key, groupBy] of [
      ['withoutMs', []],
      ['withMs', eightLabels],
    ] as const) {
      const { cpuMs } = measureDiagnosis(nodes, deadShare, runs, groupBy);
      least[key] = Math.min(least[key], cpuMs.p50);
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
