import type { Node } from '../model/node.js';
import { initialState, type PathState, type Thresholds } from '../model/path-state.js';
import type { Path } from '../model/path.js';
import type { Plan } from '../model/plan.js';
import { protocols, type Protocol, type Sample } from '../model/sample.js';
import { systemClock, type Clock } from '../platform/clock.js';
import { runAtOnce, runInSlices, type Steps } from '../platform/time-slices.js';
import type { AnswerAge } from './answer-age.js';
import { Degradations } from './degradations.js';
import { KnownPaths } from './known-paths.js';
import { isActive, ListedNodes } from './listed-nodes.js';
import { LocalFailureCounter, type LocalFailures } from './local-failures.js';
import { nextState } from './next-state.js';
import { ProbeCounters, type ProbeTotalsByPlane } from './probe-counters.js';
import { ProbeHistory } from './probe-history.js';
import type { Snapshot } from './snapshot.js';
import { Snapshots } from './snapshots.js';
import { UsualHops, type HopsChange } from './usual-hops.js';

/** A path that changed its state. */
export interface Transition {
  readonly path: Path;
  readonly protocol: Protocol;
  readonly before: PathState;
  readonly after: PathState;
  /** The node is active: it is expected to answer. */
  readonly isExpected: boolean;
}

/** The replies of a path come back by another number of hops than before. */
export type HopsListener = (path: Path, change: HopsChange) => void;

export interface ResultStoreOptions {
  readonly thresholds: Readonly<Record<Protocol, Thresholds>>;
  readonly clock?: Pick<Clock, 'nowMs' | 'wallMs'>;
  /** How long a path is reachable without a further answer under a plan, in milliseconds; left out, for ever. */
  readonly answerHoldsMs?: (plan: Plan) => number;
  /** The views of a snapshot are kept for so long after the last reader; left out, for ever. */
  readonly viewsKeptMs?: number;
}

/** What a new node list changed. */
export interface PathChanges {
  readonly added: readonly Path[];
  readonly removed: readonly Path[];
}

/** Everything the agent knows about its paths. Readers take snapshots of it and nothing else. */
export class ResultStore {
  /** What is known of the paths now, without what a snapshot costs. */
  readonly paths: KnownPaths;
  readonly #thresholds: Readonly<Record<Protocol, Thresholds>>;
  readonly #history = new ProbeHistory();
  readonly #hops = new UsualHops();
  readonly #counters = new ProbeCounters();
  readonly #localFailures = new LocalFailureCounter();
  readonly #transitionListeners = new Set<(transition: Transition) => void>();
  readonly #hopsListeners = new Set<HopsListener>();
  readonly #clock: Pick<Clock, 'nowMs' | 'wallMs'>;
  readonly #answerHoldsMs: (plan: Plan) => number;
  readonly #listed = new ListedNodes();
  readonly #degradations: Degradations;
  readonly #snapshots: Snapshots;
  #plan: Plan = {};

  constructor(options: ResultStoreOptions) {
    this.#thresholds = options.thresholds;
    this.#clock = options.clock ?? systemClock;
    this.#degradations = new Degradations(this.#history, () => this.#clock.nowMs());
    this.#answerHoldsMs = options.answerHoldsMs ?? (() => Infinity);
    const [listed, history, counters] = [this.#listed, this.#history, this.#counters];
    const age = (): AnswerAge => ({
      nowMs: this.#clock.nowMs(),
      holdsMs: this.#answerHoldsMs(this.#plan),
    });
    this.paths = new KnownPaths({
      listed,
      history,
      hops: this.#hops,
      degradations: this.#degradations,
      age,
    });
    this.#snapshots = new Snapshots({
      clock: this.#clock,
      listed,
      history,
      counters,
      plan: () => this.#plan,
      age,
      viewsKeptMs: options.viewsKeptMs,
    });
  }

  /** Takes a whole new node list. The state of paths that stay listed is kept. */
  setNodes(nodes: readonly Node[]): PathChanges {
    return runAtOnce(this.#takeNodes(nodes));
  }

  /**
   * Takes a whole new node list in slices. It takes effect all at once. Wait for it before the next
   * one is given.
   */
  setNodesInSlices(nodes: readonly Node[]): Promise<PathChanges> {
    return runInSlices(this.#takeNodes(nodes));
  }

  /** Sets how each protocol is probed, for later snapshots. */
  setPlan(plan: Plan): void {
    this.#plan = plan;
    this.#snapshots.noteChange();
  }

  /**
   * Calls the listener with each path that changes its state, at that moment. Returns a function
   * that removes the listener. A listener must not throw.
   */
  onTransition(listener: (transition: Transition) => void): () => void {
    this.#transitionListeners.add(listener);
    return () => void this.#transitionListeners.delete(listener);
  }

  /** The same for each path whose usual number of hops changes. */
  onHops(listener: HopsListener): () => void {
    this.#hopsListeners.add(listener);
    return () => void this.#hopsListeners.delete(listener);
  }

  /**
   * Applies one sample to its path and returns the new state. Undefined if the path is no longer
   * listed.
   */
  record(path: Path, protocol: Protocol, sample: Sample): PathState | undefined {
    const known = this.#listed.entryOf(path);
    if (!known?.node) return undefined;
    const entry = known[protocol];
    const before = entry.state;
    const after = nextState(before, sample, this.#thresholds[protocol], this.#clock.nowMs());
    entry.state = after;
    this.#localFailures.note(protocol, before, after);
    entry.summary = undefined;
    if (before.state === 'unknown' && after.state === 'reachable') {
      this.#history.startLosses(entry.series, sample.sentMs);
    }
    this.#history.add(entry.series, sample);
    if (sample.outcome === 'reply' && sample.ttl !== undefined) {
      const change = this.#hops.note(entry.series, sample.ttl);
      if (change) for (const listener of this.#hopsListeners) listener(path, change);
    }
    this.#counters.add(path.plane, protocol, sample);
    if (sample.outcome === 'failure') this.#degradations.noteLoss(entry.series);
    known.node.view = undefined;
    this.#snapshots.noteChange();
    if (after.state !== before.state) {
      if (before.state === 'unreachable') this.#history.excludeOutage(entry.series, sample.sentMs);
      const isExpected = isActive(known.node);
      const transition: Transition = { path, protocol, before, after, isExpected };
      for (const listener of this.#transitionListeners) listener(transition);
    }
    return after;
  }

  /** The host was suspended for so many milliseconds, in which the clock stood still: all that is known is older by that. */
  noteSuspended(ms: number): void {
    for (const entry of this.#listed.entries()) {
      for (const protocol of protocols) {
        const { state } = entry[protocol];
        const { sinceMs, answeredSentMs, failedSentMs } = state;
        entry[protocol].state = {
          ...state,
          sinceMs: sinceMs - ms,
          answeredSentMs: answeredSentMs - ms,
          failedSentMs: failedSentMs - ms,
        };
      }
    }
    for (const node of this.#listed.nodes()) node.view = undefined;
    this.#snapshots.noteChange();
  }

  /**
   * Takes that a test showed flows by HTTP that never pass a path while others do: it loses probes until then,
   * also if few of them were lost so far.
   */
  setSticky({ node, plane, ip }: Path, untilMs: number): void {
    const listed = this.#listed.nodeOf(node);
    const entry = listed?.paths.find(({ path }) => path.plane === plane && path.ip === ip);
    if (!listed || !entry) return;
    const { http } = entry;
    this.#history.setSticky(http.series, untilMs);
    this.#degradations.noteLoss(http.series);
    http.summary = undefined;
    listed.view = undefined;
    this.#snapshots.noteChange();
  }

  /** How each protocol is probed now, as the next snapshot has it. */
  get plan(): Plan {
    return this.#plan;
  }

  /** The probes of each plane and protocol so far, without what a snapshot costs. */
  get probeTotals(): ProbeTotalsByPlane {
    return this.#counters.totals();
  }

  /** The current snapshot: the same object until something changes. With thousands of nodes, use `prepareSnapshot`. */
  snapshot(): Snapshot {
    return this.#snapshots.current();
  }

  /** Makes the current snapshot in slices. */
  prepareSnapshot(): Promise<Snapshot> {
    return this.#snapshots.prepare();
  }

  /** How many paths fail by a protocol because this host cannot reach the network. */
  localFailures(protocol: Protocol): LocalFailures {
    return { paths: this.#listed.pathCount, ...this.#localFailures.of(protocol) };
  }

  *#takeNodes(nodes: readonly Node[]): Steps<PathChanges> {
    // States are replaced and never changed, so all new series have the same one.
    const state = initialState(this.#clock.wallMs(), this.#clock.nowMs());
    const { added, removed } = yield* this.#listed.take(nodes, () => ({
      series: this.#history.open(),
      state,
      summary: undefined,
    }));
    this.#snapshots.noteChange();
    for (const entry of removed) {
      this.#listed.forget(entry);
      for (const protocol of protocols) {
        const { series, state } = entry[protocol];
        this.#localFailures.note(protocol, state, undefined);
        this.#history.close(series);
        this.#hops.clear(series);
        this.#degradations.forget(series);
      }
      yield;
    }
    return { added, removed: removed.map(({ path }) => path) };
  }
}
