import type { PathState } from '../model/path-state.js';

/** Paths of one protocol that fail because this host cannot reach the network. */
export interface LocalFailures {
  readonly paths: number;
  readonly failing: number;
  /** The words of one of them. */
  readonly failure: string | undefined;
}

/** Counts the paths that failed last because of this host. */
export function countLocalFailures(states: Iterable<PathState>): LocalFailures {
  let [paths, failing] = [0, 0];
  let failure: string | undefined;
  for (const state of states) {
    paths++;
    if (state.state !== 'unreachable' || state.failureKind !== 'local') continue;
    failing++;
    failure ??= state.failure;
  }
  return { paths, failing, failure };
}
