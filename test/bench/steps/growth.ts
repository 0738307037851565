import { micros, short } from '../report/numbers.js';
import type { Figures, Report } from '../report/report.js';
import { growth } from '../statistics.js';

/** Computes the cost of one more node, from the smallest and the largest cluster. */
export function measureGrowth(report: Report): void {
  const steady = report.of('cost').filter(({ deadShare }) => deadShare === 0);
  const [small, large] = [steady[0], steady.at(-1)];
  if (!small || !large || small === large) return;
  const point = (figures: Figures, key: string): [number, number] => [
    Number(figures['nodes']),
    Number(figures[key]),
  ];
  const slope = (key: string): number => growth(point(small, key), point(large, key));
  const [cpu, bytes] = [slope('cpuShare'), slope('mostBytes')];
  report.add('growth', { from: small['nodes'], to: large['nodes'], cpuShare: cpu, bytes });
  report.row({
    promise: `growth per node, ${String(small['nodes'])} to ${String(large['nodes'])} nodes`,
    figure: `${micros(cpu * 1e9)} of CPU a second, ${short(bytes / 1000)} kB`,
  });
}
