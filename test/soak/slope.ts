/** One sample of a figure. */
export interface Point {
  /** The process that it was taken of. A process that was restarted is another one. */
  readonly life: string;
  readonly hours: number;
  readonly value: number;
}

export interface Slope {
  readonly perHour: number;
  /** Half of the 95 % confidence interval. */
  readonly error: number;
  /** The time that the samples span. */
  readonly hours: number;
}

const fewestPoints = 5;
const fewestLives = 3;
const blocks = 8;
const fewestInBlock = 3;

/**
 * The slope that all processes have in common, each at a level of its own: least squares after the
 * means of each process are subtracted. Samples of one process hang together, because a heap grows
 * and is collected, so the error is computed from the sums of whole processes and not from single
 * samples (a cluster-robust error). Undefined if there are fewer than three processes.
 */
export function commonSlope(points: readonly Point[]): Slope | undefined {
  const lives = [...byLife(points).values()].filter(({ length }) => length >= fewestPoints);
  if (lives.length < fewestLives) return undefined;
  const centred = lives.map((life) => {
    const [hours, value] = [mean(life.map((one) => one.hours)), mean(life.map((one) => one.value))];
    return life.map((one) => ({ x: one.hours - hours, y: one.value - value }));
  });
  const spread = sum(centred.flat().map(({ x }) => x * x));
  if (spread === 0) return undefined;
  const perHour = sum(centred.flat().map(({ x, y }) => x * y)) / spread;
  const scores = centred.map((life) => sum(life.map(({ x, y }) => x * (y - perHour * x))));
  const count = lives.length;
  const variance = ((count / (count - 1)) * sum(scores.map((score) => score ** 2))) / spread ** 2;
  const error = studentT(count - 1) * Math.sqrt(variance);
  return { perHour, error, hours: spanOf(lives.flat()) };
}

/**
 * The slope of one process. The samples are joined to eight blocks, which hang together less than
 * samples do. Undefined if there are too few samples.
 */
export function slopeOfOne(points: readonly Point[]): Slope | undefined {
  if (points.length < blocks * fewestInBlock) return undefined;
  const inOrder = [...points].sort((a, b) => a.hours - b.hours);
  const means = Array.from({ length: blocks }, (_, block) => {
    const [from, to] = [block, block + 1].map((edge) =>
      Math.round((edge / blocks) * inOrder.length),
    );
    const some = inOrder.slice(from, to);
    return { x: mean(some.map(({ hours }) => hours)), y: mean(some.map(({ value }) => value)) };
  });
  const [x0, y0] = [mean(means.map(({ x }) => x)), mean(means.map(({ y }) => y))];
  const spread = sum(means.map(({ x }) => (x - x0) ** 2));
  if (spread === 0) return undefined;
  const perHour = sum(means.map(({ x, y }) => (x - x0) * (y - y0))) / spread;
  const rest = sum(means.map(({ x, y }) => (y - y0 - perHour * (x - x0)) ** 2));
  const error = studentT(blocks - 2) * Math.sqrt(rest / (blocks - 2) / spread);
  return { perHour, error, hours: spanOf(inOrder) };
}

/** The points by their processes. */
export function byLife(points: readonly Point[]): ReadonlyMap<string, readonly Point[]> {
  const lives = new Map<string, Point[]>();
  for (const point of points) {
    const life = lives.get(point.life) ?? [];
    lives.set(point.life, life);
    life.push(point);
  }
  return lives;
}

/** The 97.5th percentile of Student's t; from ten degrees on within one percent. */
function studentT(degrees: number): number {
  const table = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];
  return table[degrees - 1] ?? 1.96 + 2.5 / degrees;
}

function spanOf(points: readonly Point[]): number {
  const [first, last] = [Math.min, Math.max].map((pick) =>
    points.map(({ hours }) => hours).reduce((one, other) => pick(one, other)),
  );
  return (last ?? 0) - (first ?? 0);
}

function mean(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
