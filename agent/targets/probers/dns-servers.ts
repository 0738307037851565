import { initialState, type PathState, type Thresholds } from '../../model/path-state.js';
import type { Outcome } from '../../model/sample.js';
import { nextState } from '../../results/next-state.js';
import type { TargetServerView } from '../views.js';

/** What is known of each of several servers. */
export class DnsServers {
  readonly #thresholds: Thresholds;
  #states = new Map<string, PathState>();
  /** Asked some time ago, while others have answered. */
  readonly #overdue = new Set<string>();

  constructor(thresholds: Thresholds) {
    this.#thresholds = thresholds;
  }

  /** Sets which servers there are, in order. Those that stay keep their state. */
  set(servers: readonly string[]): void {
    const known = this.#states;
    const before = [...known.keys()];
    if (servers.length === before.length && servers.every((one, at) => one === before[at])) return;
    const initial = initialState(Date.now(), performance.now());
    this.#states = new Map(servers.map((server) => [server, known.get(server) ?? initial]));
  }

  note(server: string, outcome: Outcome, sentMs: number): void {
    const before = this.#states.get(server);
    if (before === undefined) return;
    const sample = { sentMs, at: Date.now(), ...outcome };
    this.#overdue.delete(server);
    this.#states.set(server, nextState(before, sample, this.#thresholds, performance.now()));
  }

  /** A server has not answered yet although another one has. */
  noteOverdue(server: string): void {
    this.#overdue.add(server);
  }

  /** Whether the next answers decide if its state changes. */
  isSuspected(server: string): boolean {
    const state = this.#states.get(server);
    if (state === undefined) return false;
    return state.state === 'unreachable' ? state.successes > 0 : state.failures > 0;
  }

  /** Whether it is unreachable, and has not answered since. */
  isKnownToFail(server: string): boolean {
    return this.#states.get(server)?.state === 'unreachable' && !this.isSuspected(server);
  }

  /** Whether no server is known to answer, though one may have begun to. */
  get areAllUnreachable(): boolean {
    return [...this.#states.values()].every(({ state }) => state === 'unreachable');
  }

  views(): TargetServerView[] {
    return [...this.#states].map(([server, { state, failure, failureKind, successes }]) => {
      const isAnswering = state === 'unreachable' && successes > 0;
      const last = failure ?? (this.#overdue.has(server) ? 'no answer yet' : undefined);
      return {
        server,
        state: isAnswering
          ? { state, failure: undefined, failureKind: undefined }
          : { state, failure: last, failureKind },
      };
    });
  }
}
