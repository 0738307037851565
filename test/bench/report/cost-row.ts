import { scaledShare, targetNodeStartMs, type CostTarget } from '../cost-targets.js';
import { count, duration, megabytes, percent, short } from './numbers.js';
import { targetResult, type Row } from './report.js';

/** What a process cost over a window. */
export interface CostFigures {
  readonly cpuShare: number;
  /** The processor time of `node -e 0` meanwhile. */
  readonly nodeStartMs: number;
  readonly wakeUpsPerSecond: number;
  readonly privateBytes: number;
}

/** Writes the figures of a process beside their targets. Processor time is scaled to the machine of the targets. */
export function costRow(
  promise: string,
  figures: CostFigures,
  target: CostTarget,
  beside: readonly string[] = [],
): Row {
  const { cpuShare, nodeStartMs, wakeUpsPerSecond, privateBytes } = figures;
  const scaled = scaledShare(cpuShare, nodeStartMs);
  const limits: readonly (readonly [number | undefined, number, (limit: number) => string])[] = [
    [target.cpuShare, scaled, (share) => `${percent(share)} of a core`],
    [target.wakeUpsPerSecond, wakeUpsPerSecond, (wakeUps) => `${count(wakeUps)} wake-ups/s`],
    [target.privateBytes, privateBytes, (bytes) => `${megabytes(bytes)} private`],
  ];
  const held = limits.flatMap(([limit, figure, textOf]) =>
    limit === undefined ? [] : [{ text: `<= ${textOf(limit)}`, isMet: figure <= limit }],
  );
  return {
    promise,
    target: held.map(({ text }) => text).join(', '),
    figure: `${percent(scaled)}, ${short(wakeUpsPerSecond)} wake-ups/s, ${megabytes(privateBytes)} private`,
    beside: [
      `${percent(cpuShare)} here, scaled from node -e 0 in ${duration(nodeStartMs)} to ${duration(targetNodeStartMs)}`,
      ...beside,
    ].join('; '),
    result: held.length === 0 ? '' : targetResult(...held.map(({ isMet }) => isMet)),
  };
}
