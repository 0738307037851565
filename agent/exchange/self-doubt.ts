import type { Path, Plane } from '../model/path.js';
import type { Protocol } from '../model/sample.js';

/** So many paths, the last ones probed, say how a plane is doing. */
const windowPaths = 64;

/** The last paths probed, and how many of them failed. */
class RecentPaths {
  /** Whether each failed, the least recently probed first. */
  readonly #failed = new Map<Path, boolean>();
  #failures = 0;

  note(path: Path, failed: boolean): void {
    this.forget(path);
    this.#failed.set(path, failed);
    if (failed) this.#failures++;
    const [oldest] = this.#failed.keys();
    if (this.#failed.size > windowPaths && oldest) this.forget(oldest);
  }

  forget(path: Path): void {
    if (this.#failed.get(path) === true) this.#failures--;
    this.#failed.delete(path);
  }

  get mostFail(): boolean {
    return this.#failures * 2 > this.#failed.size;
  }
}

/**
 * Whether an agent's own network may be what fails: most of the paths that it probed last on a plane and by a
 * protocol, to other nodes than its own, failed. The last ones and not all, so that it is known within a part of
 * the interval; each protocol for itself, so that a network that filters one of them keeps no one from telling
 * what the other finds.
 */
export class SelfDoubt {
  readonly #recent: Record<Plane, Record<Protocol, RecentPaths>> = {
    host: { icmp: new RecentPaths(), http: new RecentPaths() },
    endpoint: { icmp: new RecentPaths(), http: new RecentPaths() },
  };

  note(path: Path, protocol: Protocol, failed: boolean): void {
    this.#recent[path.plane][protocol].note(path, failed);
  }

  forget(path: Path): void {
    this.#recent[path.plane].icmp.forget(path);
    this.#recent[path.plane].http.forget(path);
  }

  /** Where it may be this agent's own fault, it tells no one of failures there. */
  isDoubtful(plane: Plane, protocol: Protocol): boolean {
    return this.#recent[plane][protocol].mostFail;
  }
}
