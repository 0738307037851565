import type { Plane } from '../../model/path.js';
import { planes } from '../../model/path.js';
import { tailNs } from '../../model/target.js';
import type { Steps } from '../../platform/time-slices.js';
import type { ClusterState } from './cluster-state.js';
import { isRecent, visitLooks, type TargetLook } from './target-looks.js';

/** The nodes that are named of those that do not reach a target. */
const maxNotFrom = 64;

/** What all observers together say of a target from one plane. */
export interface TargetTally {
  readonly reached: {
    readonly from: number;
    readonly of: number;
    readonly lossy: number;
    readonly slow: number;
    readonly otherDefinition: number;
  };
  /** In the order of their names. */
  readonly notFrom: readonly string[];
  /** The median of the medians, and the largest of the 99th percentiles. */
  readonly p50Ns: number | undefined;
  readonly p99Ns: number | undefined;
}

/**
 * Counts the observers of each target and plane, by `tallyKey`. While some fail, those that reach it
 * count only if they looked since the first of those began to fail: before, they know nothing of it.
 */
export function* tallyTargets(
  state: Pick<ClusterState, 'nodes' | 'rows' | 'targets'>,
): Steps<ReadonlyMap<string, TargetTally>> {
  const counts = new Map<string, Count>();
  for (const { target } of state.targets) {
    for (const plane of planes) counts.set(tallyKey(target.name, plane), new Count());
  }
  yield* visitLooks(state, (look, { row }) => {
    const count = counts.get(tallyKey(look.said.target, look.plane));
    if (look.isOther && look.freshness === 'fresh') count?.addOther();
    else if (isRecent(look, row)) count?.add(look);
  });
  const tallies = new Map<string, TargetTally>();
  for (const [key, count] of counts) {
    tallies.set(key, count.tally());
    yield;
  }
  return tallies;
}

/** The key of a target and plane in the tallies. */
export function tallyKey(target: string, plane: Plane): string {
  return `${plane} ${target}`;
}

/** Those that reach the target are kept as numbers: there may be 5,000 of them for each of 32 planes. */
class Count {
  readonly #failing: string[] = [];
  #onsetMs = -Infinity;
  #other = 0;
  readonly #lookedMs: number[] = [];
  readonly #troubles: number[] = [];
  readonly #p50sNs: number[] = [];
  readonly #p99sNs: number[] = [];

  addOther(): void {
    this.#other++;
  }

  add({ observer, said, lookedMs, sinceMs }: TargetLook): void {
    if (said.state === 'unreachable') {
      this.#failing.push(observer);
      this.#onsetMs = Math.max(this.#onsetMs, sinceMs);
      return;
    }
    this.#lookedMs.push(lookedMs);
    this.#troubles.push(said.state === 'lossy' ? lossy : said.state === 'slow' ? slow : 0);
    this.#p50sNs.push(said.p50Ns ?? NaN);
    this.#p99sNs.push(tailNs(said) ?? NaN);
  }

  tally(): TargetTally {
    let [from, countLossy, countSlow, p99Ns] = [0, 0, 0, 0];
    const p50sNs: number[] = [];
    for (const [at, lookedMs] of this.#lookedMs.entries()) {
      if (this.#failing.length > 0 && lookedMs > this.#onsetMs) continue;
      from++;
      if (this.#troubles[at] === lossy) countLossy++;
      if (this.#troubles[at] === slow) countSlow++;
      const p50Ns = this.#p50sNs[at] ?? NaN;
      if (!Number.isNaN(p50Ns)) p50sNs.push(p50Ns);
      const most = this.#p99sNs[at] ?? NaN;
      if (most > p99Ns) p99Ns = most;
    }
    const sorted = Float64Array.from(p50sNs).sort();
    return {
      reached: {
        from,
        of: from + this.#failing.length,
        lossy: countLossy,
        slow: countSlow,
        otherDefinition: this.#other,
      },
      notFrom: this.#failing.sort(byCodeUnit).slice(0, maxNotFrom),
      p50Ns: sorted[Math.floor((sorted.length - 1) / 2)],
      p99Ns: p99Ns > 0 ? p99Ns : undefined,
    };
  }
}

const lossy = 1;
const slow = 2;

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
