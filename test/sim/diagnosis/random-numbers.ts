import type { Random } from '../../fuzz/random.js';

/**
 * A binomial number, approximated by a Poisson number for a small mean and by a normal one
 * otherwise.
 */
export function binomial(count: number, share: number, random: Random): number {
  const mean = count * share;
  if (mean > 30) {
    const angle = 2 * Math.PI * random.next();
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(angle);
    return Math.max(0, Math.round(mean + normal * Math.sqrt(mean * (1 - share))));
  }
  let [sum, hits] = [-Math.log(1 - random.next()), 0];
  while (sum < mean) {
    hits++;
    sum -= Math.log(1 - random.next());
  }
  return hits;
}

/**
 * The numbers below `count` that a chance hits, ascending. It draws one random number for each hit
 * and not for each number.
 */
export function* hits(count: number, chance: number, random: Random): Generator<number, void> {
  if (chance <= 0) return;
  const scale = Math.log(1 - chance);
  for (let at = -1; ;) {
    at += 1 + Math.floor(Math.log(1 - random.next()) / scale);
    if (at >= count) return;
    yield at;
  }
}
