import type { PathState } from '../model/path-state.js';
import type { Protocol } from '../model/sample.js';

/** Paths of one protocol that fail because this host cannot reach the network. */
export interface LocalFailures {
  readonly paths: number;
  readonly failing: number;
  /** The failure text of one of them. */
  readonly failure: string | undefined;
}

/** Counts the paths that fail because of this host, as their states change. */
export class LocalFailureCounter {
  readonly #failing: Record<Protocol, number> = { icmp: 0, http: 0 };
  readonly #failure: Partial<Record<Protocol, string | undefined>> = {};

  /** Takes a path's new state; undefined if the path is no longer listed. */
  note(protocol: Protocol, before: PathState, after: PathState | undefined): void {
    const failsLocally = after !== undefined && isLocal(after);
    if (failsLocally) this.#failure[protocol] = after.failure;
    this.#failing[protocol] += Number(failsLocally) - Number(isLocal(before));
  }

  of(protocol: Protocol): Omit<LocalFailures, 'paths'> {
    const failing = this.#failing[protocol];
    return { failing, failure: failing > 0 ? this.#failure[protocol] : undefined };
  }
}

function isLocal({ state, failureKind }: PathState): boolean {
  return state === 'unreachable' && failureKind === 'local';
}
