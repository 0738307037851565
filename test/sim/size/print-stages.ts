import { quantile } from '../exchange/scenarios.js';
import type { SizeRound, Stages } from './run-size-round.js';

/** How each agent of a round came to name each fault, a line for both. */
export function printStages({ seed, stages }: Pick<SizeRound, 'seed' | 'stages'>): string[] {
  return stages.map(
    ({ what, agent, ...times }) => `stages ${seed} ${agent}, ${what}: ${printTimes(times)}`,
  );
}

/** How long each step took in the middle, of all rounds. */
export function printStagesOfAll(stages: readonly Stages[]): string {
  const middle = (from: (one: Stages) => number, to: (one: Stages) => number) =>
    seconds(
      quantile(
        stages.map((one) => to(one) - from(one)),
        0.5,
      ),
    );
  return [
    `medians of ${stages.length}: ${middle(
      () => 0,
      ({ verdictMs }) => verdictMs,
    )} s until any agent has a verdict`,
    `${middle(
      ({ verdictMs }) => verdictMs,
      ({ rowMs }) => rowMs,
    )} until a row of it`,
    `${middle(
      ({ rowMs }) => rowMs,
      ({ suspectedMs }) => suspectedMs,
    )} until the cause`,
    `${middle(
      ({ suspectedMs }) => suspectedMs,
      ({ namedMs }) => namedMs,
    )} until it is told`,
  ].join(', ');
}

function printTimes({
  verdictMs,
  rowMs,
  suspectedMs,
  namedMs,
}: Pick<Stages, 'verdictMs' | 'rowMs' | 'suspectedMs' | 'namedMs'>): string {
  return `verdict ${seconds(verdictMs)}, row ${seconds(rowMs)}, cause ${seconds(suspectedMs)}, named ${seconds(namedMs)} s`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
