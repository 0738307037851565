import { systemClock, type Clock } from '../platform/clock.js';
import { runAtOnce, runInSlices, type Steps } from '../platform/time-slices.js';
import { whenIdle } from '../platform/when-idle.js';
import type { MedianRtt } from '../model/median-rtt.js';
import type { Node } from '../model/node.js';
import {
  initialState,
  type Degradation,
  type PathState,
  type Thresholds,
} from '../model/path-state.js';
import type { Path, Plane } from '../model/path.js';
import type { Plan } from '../model/plan.js';
import { protocols, type Protocol, type Sample } from '../model/sample.js';
import { stateNow, type AnswerAge } from './answer-age.js';
import { Degradations } from './degradations.js';
import { isActive, ListedNodes, type PathEntry } from './listed-nodes.js';
import { LocalFailureCounter, type LocalFailures } from './local-failures.js';
import { nextState } from './next-state.js';
import { forgetViews, nodeView, pathView } from './node-views.js';
import { countPaths } from './path-counts.js';
import { ProbeCounters, type ProbeTotalsByPlane } from './probe-counters.js';
import { ProbeHistory } from './probe-history.js';
import type { KeptSample } from './sample-log.js';
import type { PathView, Snapshot } from './snapshot.js';
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

/** Called with a path, a protocol, and what is known of it. */
type VisitPath = (
  path: Path,
  protocol: Protocol,
  state: PathState,
  degradation: Degradation,
) => void;

export interface ResultStoreOptions {
  readonly thresholds: Readonly<Record<Protocol, Thresholds>>;
  readonly clock?: Pick<Clock, 'nowMs' | 'wallMs'>;
  /** How long a path is reachable without a further answer under a plan, in milliseconds; left out, for ever. */
  readonly answerHoldsMs?: (plan: Plan) => number;
  /** The views of a snapshot are kept for so long after the last reader; left out, for ever. */
  readonly viewsKeptMs?: number;
}

/** A node in short. It counts as reached if one path answers by one protocol. */
export interface NodeSummary {
  readonly name: string;
  /** It is expected to answer. */
  readonly isActive: boolean;
  readonly hasPaths: boolean;
  readonly wasReached: boolean;
  readonly isReachable: boolean;
}

/** The kept samples of one path. */
export interface PathHistory {
  readonly plane: Plane;
  readonly view: PathView;
  readonly samples: Readonly<Record<Protocol, readonly KeptSample[]>>;
}

/** What a new node list changed. */
export interface PathChanges {
  readonly added: readonly Path[];
  readonly removed: readonly Path[];
}

/** Everything the agent knows about its paths. Readers take snapshots of it and nothing else. */
export class ResultStore {
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
  readonly #noteReading: () => void;
  #snapshot: Snapshot | undefined;
  #generation = 0;
  #plan: Plan = {};
  #changed = false;

  constructor(options: ResultStoreOptions) {
    this.#thresholds = options.thresholds;
    this.#clock = options.clock ?? systemClock;
    this.#degradations = new Degradations(this.#history, () => this.#clock.nowMs());
    this.#answerHoldsMs = options.answerHoldsMs ?? (() => Infinity);
    const { viewsKeptMs } = options;
    this.#noteReading =
      viewsKeptMs === undefined
        ? () => undefined
        : whenIdle(viewsKeptMs, () => this.#forgetViews());
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
    this.#changed = true;
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
    this.#changed = true;
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
    this.#changed = true;
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
    this.#changed = true;
  }

  /** How each protocol is probed now, as the next snapshot has it. */
  get plan(): Plan {
    return this.#plan;
  }

  /** The probes of each plane and protocol so far, without what a snapshot costs. */
  get probeTotals(): ProbeTotalsByPlane {
    return this.#counters.totals();
  }

  /**
   * The current snapshot: the same object until something changes. It makes the view of each node
   * that has changed. With thousands of them, use `prepareSnapshot`, which does so in slices.
   */
  snapshot(): Snapshot {
    this.#noteReading();
    if (this.#changed) {
      this.#changed = false;
      this.#generation++;
      this.#snapshot = undefined;
    }
    return (this.#snapshot ??= this.#createSnapshot(this.#generation));
  }

  /** Makes the views for a snapshot in slices, then resolves with the snapshot. */
  prepareSnapshot(): Promise<Snapshot> {
    if (!this.#changed) return Promise.resolve(this.snapshot());
    return runInSlices(this.#makeViews());
  }

  /** Each node in short, without what a snapshot costs. */
  *nodeSummaries(): Generator<NodeSummary> {
    const age = this.#answerAge();
    for (const node of this.#listed.nodes()) {
      const { name, paths } = node;
      let [wasReached, isReachable] = [false, false];
      for (const path of paths) {
        for (const protocol of protocols) {
          const { state, answeredSentMs } = stateNow(path[protocol].state, age);
          wasReached ||= answeredSentMs > -Infinity;
          isReachable ||= state === 'reachable';
        }
      }
      const hasPaths = paths.length > 0;
      yield { name, isActive: isActive(node), hasPaths, wasReached, isReachable };
    }
  }

  /** Calls back for each primary path of an active node and each protocol, without what a snapshot costs. */
  visitPrimaryPaths(visit: VisitPath): void {
    runAtOnce(this.visitPrimaryPathsInSteps(visit));
  }

  /** The same in steps of some nodes. Paths that go meanwhile are left out. */
  visitPrimaryPathsInSteps(visit: VisitPath): Steps<void> {
    return this.#visitActivePaths((entry, primary, age) => {
      if (entry !== primary) return;
      for (const protocol of protocols) {
        const { series } = entry[protocol];
        const state = stateNow(entry[protocol].state, age);
        visit(entry.path, protocol, state, this.#degradations.of(series, state));
      }
    });
  }

  /**
   * Calls back for each path to a further address of an active node and each protocol, with the primary address of that node and
   * plane, in steps of some nodes.
   */
  visitFurtherPathsInSteps(
    visit: (path: Path, primaryIp: string, protocol: Protocol, state: PathState) => void,
  ): Steps<void> {
    return this.#visitActivePaths((entry, primary, age) => {
      if (entry === primary) return;
      for (const protocol of protocols) {
        visit(entry.path, primary.path.ip, protocol, stateNow(entry[protocol].state, age));
      }
    });
  }

  *#visitActivePaths(
    visit: (entry: PathEntry, primary: PathEntry, age: AnswerAge) => void,
  ): Steps<void> {
    const steps = this.#listed.visitActive((entry, primary) => visit(entry, primary, age));
    let age = this.#answerAge();
    while (!steps.next().done) {
      yield;
      age = this.#answerAge();
    }
  }

  /** The states of the primary paths of a node, by each protocol; none where there is no such node. */
  *primaryStatesOf(name: string): Generator<PathState['state']> {
    const node = this.#listed.nodeOf(name);
    const age = this.#answerAge();
    let plane: Plane | undefined;
    for (const entry of node?.paths ?? []) {
      if (entry.path.plane === plane) continue;
      plane = entry.path.plane;
      for (const protocol of protocols) yield stateNow(entry[protocol].state, age).state;
    }
  }

  /** An address of a node on a plane, other than the primary one, that answers by a protocol; undefined where none does. */
  furtherAnsweringOf(name: string, plane: Plane, protocol: Protocol): string | undefined {
    const age = this.#answerAge();
    const [, ...further] = (this.#listed.nodeOf(name)?.paths ?? []).filter(
      ({ path }) => path.plane === plane,
    );
    return further.find((entry) => stateNow(entry[protocol].state, age).state === 'reachable')?.path
      .ip;
  }

  /**
   * How many hops the replies of a node's primary path usually take on their way back; undefined where none tells
   * it, or there is no such path.
   */
  hopsOf(name: string, plane: Plane): number | undefined {
    const primary = this.#listed.primaryOf(name, plane);
    return primary && this.#hops.of(primary.icmp.series);
  }

  /** The primary address of a node on a plane; undefined where there is none. */
  primaryAddressOf(name: string, plane: Plane): string | undefined {
    return this.#listed.primaryOf(name, plane)?.path.ip;
  }

  /** Why a node's primary path is unreachable, in the words of its last failure; undefined where it is not. */
  failureOf(name: string, plane: Plane, protocol: Protocol): string | undefined {
    const state = this.#listed.primaryOf(name, plane)?.[protocol].state;
    return state?.state === 'unreachable' ? state.failure : undefined;
  }

  /** How many paths fail by a protocol because this host cannot reach the network. */
  localFailures(protocol: Protocol): LocalFailures {
    return { paths: this.#listed.pathCount, ...this.#localFailures.of(protocol) };
  }

  /** The median of a path's kept round trips by a protocol; undefined where there is none. */
  medianRtt(path: Path, protocol: Protocol): MedianRtt | undefined {
    const known = this.#listed.entryOf(path)?.[protocol];
    return known && this.#history.medianRtt(known.series);
  }

  /** The kept samples of every path of a node; undefined where there is no such node. */
  historyOf(name: string): PathHistory[] | undefined {
    const node = this.#listed.nodeOf(name);
    const age = this.#answerAge();
    return node?.paths.map((entry) => ({
      plane: entry.path.plane,
      view: pathView(entry, this.#history, age),
      samples: {
        icmp: this.#history.samples(entry.icmp.series),
        http: this.#history.samples(entry.http.series),
      },
    }));
  }

  *#takeNodes(nodes: readonly Node[]): Steps<PathChanges> {
    // States are replaced and never changed, so all new series have the same one.
    const state = initialState(this.#clock.wallMs(), this.#clock.nowMs());
    const { added, removed } = yield* this.#listed.take(nodes, () => ({
      series: this.#history.open(),
      state,
      summary: undefined,
    }));
    this.#changed = true;
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

  #forgetViews(): void {
    this.#snapshot = undefined;
    // The next one has another time, so it is not the same.
    this.#changed = true;
    forgetViews(this.#listed.nodes());
  }

  *#makeViews(): Steps<Snapshot> {
    // What changes during the first pass is so little that the second one takes a slice or two.
    for (let pass = 0; pass < 2; pass++) {
      const age = this.#answerAge();
      for (const node of this.#listed.nodes()) {
        nodeView(node, this.#history, age);
        yield;
      }
    }
    return this.snapshot();
  }

  #createSnapshot(generation: number): Snapshot {
    const age = this.#answerAge();
    const nodes = Array.from(this.#listed.nodes(), (node) => nodeView(node, this.#history, age));
    let counts: Snapshot['counts'] | undefined;
    return Object.freeze({
      generation,
      at: this.#clock.wallMs(),
      nodes: Object.freeze(nodes),
      plan: this.#plan,
      // Most readers do not need the counts, and counting thousands of nodes takes milliseconds.
      get counts() {
        return (counts ??= countPaths(nodes));
      },
      probes: this.#counters.totals(),
    });
  }

  #answerAge(): AnswerAge {
    return {
      nowMs: this.#clock.nowMs(),
      holdsMs: this.#answerHoldsMs(this.#plan),
    };
  }
}
