import { measureAskedRows } from '../asked-rows.js';
import { logProgress } from '../progress.js';
import { count } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import type { Bench } from './step.js';

/** The share of the rows that may be asked for which comes, whoever is dead. */
const leastShare = 0.9;

/** Measures what asking for rows brings, and what rows cost, in this process and with nothing else running. */
export function measureRows({ report }: Bench): void {
  logProgress('rows: asking for them');
  for (const dead of [0, 20, 40]) {
    const figures = measureAskedRows(300, dead, 10);
    const { nodes, seconds, asked, mostAsked, old, oldByRound } = figures;
    report.add('rows', { ...figures });
    report.row({
      promise: `rows of living nodes that asking brings in ${seconds} s, ${count(nodes)} nodes of which ${dead} are dead`,
      target: `>= ${Math.floor(leastShare * mostAsked)}`,
      figure: `${asked} of ${mostAsked} that may be asked for`,
      beside: `still from before: ${old}; by the round alone: ${oldByRound}`,
      result: targetResult(asked >= leastShare * mostAsked),
    });
  }
  const figures = measureAskedRows(1000, 0, 15);
  const { nodes, seconds, mostAsked, old, oldByRound } = figures;
  report.add('rows', { ...figures });
  report.row({
    promise: `rows still from before after ${seconds} s of asking, ${count(nodes)} nodes`,
    target: `<= ${count(oldByRound - Math.floor(leastShare * mostAsked))}`,
    figure: count(old),
    beside: `by the round alone: ${count(oldByRound)}`,
    result: targetResult(old <= oldByRound - leastShare * mostAsked),
  });
}
