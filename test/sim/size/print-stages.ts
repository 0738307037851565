import { quantile } from '../exchange/scenarios.js';
import type { BeginStages, EndStages, SizeRound, Stages } from './run-size-round.js';

/** How each agent of a round came to name each fault, and to name it no more, a line for both. */
export function printStages({ seed, stages }: Pick<SizeRound, 'seed' | 'stages'>): string[] {
  return stages.map(
    ({ what, agent, begin, end }) =>
      `stages ${seed} ${agent}, ${what}: ${printBegin(begin)}; over: ${printEnd(end)}`,
  );
}

/** How long each step took in the middle, of all rounds. */
export function printStagesOfAll(stages: readonly Stages[]): string {
  const middle = (of: (one: Stages) => number) => seconds(quantile(stages.map(of), 0.5));
  return [
    `medians of ${stages.length}: ${middle(({ begin }) => begin.verdictMs)} s until any agent has a verdict`,
    `${middle(({ begin }) => begin.rowMs - begin.verdictMs)} until a row of it`,
    `${middle(({ begin }) => begin.suspectedMs - begin.rowMs)} until the cause`,
    `${middle(({ begin }) => begin.namedMs - begin.suspectedMs)} until it is told; when it is over ${middle(({ end }) => end.verdictMs)} s until any agent has a verdict`,
    `${middle(({ end }) => end.rowMs - end.verdictMs)} until a row of it`,
    `${middle(({ end }) => end.closedMs - end.rowMs)} until it is told no more`,
  ].join(', ');
}

function printBegin({ verdictMs, rowMs, suspectedMs, namedMs }: BeginStages): string {
  return `verdict ${seconds(verdictMs)}, row ${seconds(rowMs)}, cause ${seconds(suspectedMs)}, named ${seconds(namedMs)} s`;
}

function printEnd({ verdictMs, rowMs, closedMs }: EndStages): string {
  return `verdict ${seconds(verdictMs)}, row ${seconds(rowMs)}, closed ${seconds(closedMs)} s`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
