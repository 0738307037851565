import type { Path, Plane } from '../../model/path.js';
import { protocols, type Protocol } from '../../model/sample.js';

/** The number of last probed paths of which most tell that this agent's own network is at fault. */
const windowPaths = 64;
/** The same where none is answered: with half of all nodes down that is no chance with fewer. */
export const unansweredPaths = 32;

/** The last paths probed, and how many of them failed. */
class RecentPaths {
  /** Whether each failed, the least recently probed first. */
  readonly #failed = new Map<Path, boolean>();
  readonly #most: number;
  #failures = 0;

  /** @param most how many paths are considered */
  constructor(most: number) {
    this.#most = most;
  }

  note(path: Path, failed: boolean): void {
    this.#forget(path);
    this.#failed.set(path, failed);
    if (failed) this.#failures++;
    if (this.#failed.size <= this.#most) return;
    const [oldest] = this.#failed.keys();
    if (oldest) this.#forget(oldest);
  }

  /** Forgets the paths of which no answer is expected any more. */
  retain(isExpected: (path: Path) => boolean): void {
    for (const path of this.#failed.keys()) if (!isExpected(path)) this.#forget(path);
  }

  get mostFail(): boolean {
    return this.#failures * 2 > this.#failed.size;
  }

  /** Whether all failed, of so many or as many as are considered. */
  allFail(paths: number): boolean {
    return this.#failures === this.#failed.size && this.#failures >= Math.min(paths, this.#most);
  }

  #forget(path: Path): void {
    if (this.#failed.get(path) === true) this.#failures--;
    this.#failed.delete(path);
  }
}

/**
 * Tells whether the agent's own network may be at fault: most of the paths to other nodes that it
 * probed last, on a plane and by a protocol, failed. Only the last ones count, so that it is known
 * within a part of the interval. Each protocol counts alone: a network that filters one of them
 * does not silence the other.
 */
export class SelfDoubt {
  readonly #recent: Record<Plane, Record<Protocol, RecentPaths>> = {
    host: recentPaths(windowPaths),
    endpoint: recentPaths(windowPaths),
  };
  /** Those to hosts alone. */
  readonly #last = recentPaths(unansweredPaths);

  note(path: Path, protocol: Protocol, failed: boolean): void {
    this.#recent[path.plane][protocol].note(path, failed);
    if (path.plane === 'host') this.#last[protocol].note(path, failed);
  }

  /** Forgets the paths of which no answer is expected any more. */
  retain(isExpected: (path: Path) => boolean): void {
    for (const protocol of protocols)
      for (const { [protocol]: paths } of [this.#recent.host, this.#recent.endpoint, this.#last])
        paths.retain(isExpected);
  }

  /**
   * Whether no probe of a protocol to the hosts of others was answered, of as many paths as are considered.
   * @param paths how many there are
   */
  isUnanswered(paths: number): boolean {
    return paths > 0 && protocols.some((protocol) => this.#last[protocol].allFail(paths));
  }

  /** Whether failures there may be this agent's own fault, so that peers are not told. */
  isDoubtful(plane: Plane, protocol: Protocol): boolean {
    return this.#recent[plane][protocol].mostFail;
  }
}

function recentPaths(most: number): Record<Protocol, RecentPaths> {
  return { icmp: new RecentPaths(most), http: new RecentPaths(most) };
}
