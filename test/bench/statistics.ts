/** The statistics of some numbers, in their own unit. */
export interface Summary {
  readonly count: number;
  readonly min: number;
  readonly median: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  readonly mean: number;
}

/**
 * The percentile by nearest rank: the smallest number that at least `share` of them do not exceed.
 * It is always one of the numbers, or NaN if there are none.
 */
export function percentile(numbers: readonly number[], share: number): number {
  return ranked(sorted(numbers), share);
}

/** The number in the middle; NaN if there are none. */
export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5);
}

/** Computes all statistics. Without numbers, each is NaN except the count. */
export function summarise(numbers: readonly number[]): Summary {
  const inOrder = sorted(numbers);
  return {
    count: inOrder.length,
    min: inOrder[0] ?? NaN,
    median: ranked(inOrder, 0.5),
    p90: ranked(inOrder, 0.9),
    p99: ranked(inOrder, 0.99),
    max: inOrder.at(-1) ?? NaN,
    mean: inOrder.reduce((sum, number) => sum + number, 0) / inOrder.length,
  };
}

function sorted(numbers: readonly number[]): readonly number[] {
  return [...numbers].sort((a, b) => a - b);
}

function ranked(inOrder: readonly number[], share: number): number {
  return inOrder[Math.max(Math.ceil(inOrder.length * share) - 1, 0)] ?? NaN;
}
