import { SlowDetector } from '../../../agent/results/slow-detector.js';
import type { Random } from '../../fuzz/random.js';

const icmpEveryS = 1;
const httpEveryS = 5;

/** A table of the standard normal distribution makes each sample cheap. */
const normals = normalQuantiles(1024);

/**
 * The RTTs of all paths of a cluster without a fault, and the verdicts of the agent's own detector.
 * Each pair has a usual RTT with log-normal jitter. Now and then a node is busy for some seconds,
 * and all RTTs to and from it rise many times.
 */
export class NoisyRtts {
  readonly #nodes: number;
  readonly #random: Random;
  readonly #detector = new SlowDetector();
  readonly #usualNs: Float64Array;
  readonly #slowSinceS: Float64Array;
  readonly #busyUntilS: Float64Array;
  readonly #busyFactor: Float64Array;
  /** RTTs of a path whose median is 1. Each of them is equally likely. */
  readonly #spread: Float64Array;
  readonly #busyPerSecond: number;

  constructor(nodes: number, random: Random) {
    this.#nodes = nodes;
    this.#random = random;
    const jitter = 0.05 + 0.75 * random.next();
    this.#spread = normals.map((normal) => Math.exp(jitter * normal));
    this.#busyPerSecond = 10 ** (-4 + 2 * random.next());
    this.#usualNs = Float64Array.from({ length: nodes * nodes }, () => 1e5 * 30 ** random.next());
    this.#slowSinceS = new Float64Array(nodes * nodes * 4).fill(NaN);
    this.#busyUntilS = new Float64Array(nodes);
    this.#busyFactor = new Float64Array(nodes).fill(1);
  }

  /** Adds the samples of one second of all paths. */
  second(second: number): void {
    this.#startBusyTimes(second);
    for (let from = 0; from < this.#nodes; from++) {
      for (let to = 0; to < this.#nodes; to++) {
        if (from === to) continue;
        const pair = from * this.#nodes + to;
        const factor = Math.max(this.#factorOf(from, second), this.#factorOf(to, second));
        for (let channel = 0; channel < 4; channel++) {
          const everyS = channel % 2 === 0 ? icmpEveryS : httpEveryS;
          if ((second + pair) % everyS !== 0) continue;
          this.#add(4 * pair + channel, (this.#usualNs[pair] ?? 0) * factor, second);
        }
      }
    }
  }

  /** The second in which a path became slow; undefined while it is not slow. */
  slowSinceS(path: number): number | undefined {
    const since = this.#slowSinceS[path] ?? NaN;
    return Number.isNaN(since) ? undefined : since;
  }

  #add(path: number, medianNs: number, second: number): void {
    const factor = this.#spread[Math.floor(this.#random.next() * normals.length)] ?? 1;
    this.#detector.add(path, medianNs * factor);
    if (!this.#detector.isSlow(path)) this.#slowSinceS[path] = NaN;
    else if (this.slowSinceS(path) === undefined) this.#slowSinceS[path] = second;
  }

  #startBusyTimes(second: number): void {
    for (let node = 0; node < this.#nodes; node++) {
      if (this.#random.next() >= this.#busyPerSecond) continue;
      this.#busyUntilS[node] = second + 1 + 9 * this.#random.next();
      this.#busyFactor[node] = 2 + 18 * this.#random.next();
    }
  }

  #factorOf(node: number, second: number): number {
    return second < (this.#busyUntilS[node] ?? 0) ? (this.#busyFactor[node] ?? 1) : 1;
  }
}

/** The middles of equal shares of the standard normal distribution, found by bisection. */
function normalQuantiles(count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, index) => {
    const share = (index + 0.5) / count;
    let [low, high] = [-8, 8];
    while (high - low > 1e-9) {
      const middle = (low + high) / 2;
      if (cumulative(middle) < share) low = middle;
      else high = middle;
    }
    return low;
  });
}

/** The standard normal distribution, by its logistic approximation (error below 0.0002). */
function cumulative(x: number): number {
  return 1 / (1 + Math.exp(-1.5976 * x - 0.07056 * x ** 3));
}
