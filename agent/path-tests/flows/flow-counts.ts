/** What became of the flows of one test. */
export interface FlowVerdict {
  /** sticky: some flows never pass, and the others do: one of several equal paths is broken. */
  readonly result: 'passing' | 'sticky' | 'lossy' | 'failing';
  readonly tried: number;
  readonly failing: number;
  /** The source ports of the flows that always fail. */
  readonly ports: readonly number[];
  readonly sometimes: number;
}

/** Flows never pass by themselves where chance would make as many of them this rarely. */
const tooRare = 0.001;

/**
 * Tells flows that never pass from losses that hit every flow alike. Of flows that lose packets by
 * chance with probability p, p^rounds fail each time: where many more do, and the others pass, the
 * flow itself is what fails.
 * @param failures how often each source port failed
 */
export function judgeFlows(failures: ReadonlyMap<number, number>, rounds: number): FlowVerdict {
  const tried = failures.size;
  const all = [...failures];
  const always = all.filter(([, count]) => count === rounds);
  const others = all.filter(([, count]) => count < rounds);
  const sometimes = others.filter(([, count]) => count > 0).length;
  const ports = always.map(([port]) => port).sort((a, b) => a - b);
  const lost = others.reduce((sum, [, count]) => sum + count, 0);
  const byChance = tried * lossOf((lost + 1) / others.length, rounds) ** rounds;
  const result = ((): FlowVerdict['result'] => {
    if (always.length === tried) return 'failing';
    if (always.length > 0 && chanceOf(always.length, byChance) < tooRare) return 'sticky';
    return always.length + sometimes === 0 ? 'passing' : 'lossy';
  })();
  return { result, tried, failing: always.length, ports, sometimes };
}

/**
 * The probability p of a loss, of flows of which each lost `mean` packets and none lost all: the p with
 * (r p - r p^r) / (1 - p^r) = mean, by halving.
 */
function lossOf(mean: number, rounds: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 40; step++) {
    const p = (low + high) / 2;
    const expected = (rounds * p - rounds * p ** rounds) / (1 - p ** rounds);
    if (expected < mean) low = p;
    else high = p;
  }
  return low;
}

/** The chance of at least so many where `expected` are expected (Poisson). */
function chanceOf(count: number, expected: number): number {
  let fewer = 0;
  let term = Math.exp(-expected);
  for (let n = 0; n < count; n++) {
    fewer += term;
    term *= expected / (n + 1);
  }
  return Math.max(0, 1 - fewer);
}
