import type { MedianRtt } from '../model/median-rtt.js';
import type { Degradation, PathState } from '../model/path-state.js';
import type { Path, Plane } from '../model/path.js';
import { protocols, type Protocol } from '../model/sample.js';
import { runAtOnce, type Steps } from '../platform/time-slices.js';
import { stateNow, type AnswerAge } from './answer-age.js';
import type { Degradations } from './degradations.js';
import { isActive, type ListedNodes, type PathEntry } from './listed-nodes.js';
import { pathView } from './node-views.js';
import type { ProbeHistory } from './probe-history.js';
import type { KeptSample } from './sample-log.js';
import type { PathView } from './snapshot.js';
import type { UsualHops } from './usual-hops.js';

/** Called with a path, a protocol, and what is known of it. */
type VisitPath = (
  path: Path,
  protocol: Protocol,
  state: PathState,
  degradation: Degradation,
) => void;

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

export interface KnownPathsOptions {
  readonly listed: ListedNodes;
  readonly history: ProbeHistory;
  readonly hops: Pick<UsualHops, 'of'>;
  readonly degradations: Pick<Degradations, 'of'>;
  readonly age: () => AnswerAge;
}

/** What is known of the listed paths now, for who asks for some of it: without what a snapshot costs. */
export class KnownPaths {
  readonly #options: KnownPathsOptions;

  constructor(options: KnownPathsOptions) {
    this.#options = options;
  }

  /** Each node in short. */
  *nodeSummaries(): Generator<NodeSummary> {
    const age = this.#options.age();
    for (const node of this.#options.listed.nodes()) {
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

  /** Calls back for each primary path of an active node and each protocol. */
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
        visit(entry.path, protocol, state, this.#options.degradations.of(series, state));
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
    const steps = this.#options.listed.visitActive((entry, primary) => visit(entry, primary, age));
    let age = this.#options.age();
    while (!steps.next().done) {
      yield;
      age = this.#options.age();
    }
  }

  /** The states of the primary paths of a node, by each protocol; none where there is no such node. */
  *primaryStatesOf(name: string): Generator<PathState['state']> {
    const node = this.#options.listed.nodeOf(name);
    const age = this.#options.age();
    let plane: Plane | undefined;
    for (const entry of node?.paths ?? []) {
      if (entry.path.plane === plane) continue;
      plane = entry.path.plane;
      for (const protocol of protocols) yield stateNow(entry[protocol].state, age).state;
    }
  }

  /** An address of a node on a plane, other than the primary one, that answers by a protocol; undefined where none does. */
  furtherAnsweringOf(name: string, plane: Plane, protocol: Protocol): string | undefined {
    const age = this.#options.age();
    const [, ...further] = (this.#options.listed.nodeOf(name)?.paths ?? []).filter(
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
    const primary = this.#options.listed.primaryOf(name, plane);
    return primary && this.#options.hops.of(primary.icmp.series);
  }

  /** The primary address of a node on a plane; undefined where there is none. */
  primaryAddressOf(name: string, plane: Plane): string | undefined {
    return this.#options.listed.primaryOf(name, plane)?.path.ip;
  }

  /** Why a node's primary path is unreachable, in the words of its last failure; undefined where it is not. */
  failureOf(name: string, plane: Plane, protocol: Protocol): string | undefined {
    const state = this.#options.listed.primaryOf(name, plane)?.[protocol].state;
    return state?.state === 'unreachable' ? state.failure : undefined;
  }

  /** The median of a path's kept round trips by a protocol; undefined where there is none. */
  medianRtt(path: Path, protocol: Protocol): MedianRtt | undefined {
    const known = this.#options.listed.entryOf(path)?.[protocol];
    return known && this.#options.history.medianRtt(known.series);
  }

  /** The kept samples of every path of a node; undefined where there is no such node. */
  historyOf(name: string): PathHistory[] | undefined {
    const node = this.#options.listed.nodeOf(name);
    const age = this.#options.age();
    return node?.paths.map((entry) => ({
      plane: entry.path.plane,
      view: pathView(entry, this.#options.history, age),
      samples: {
        icmp: this.#options.history.samples(entry.icmp.series),
        http: this.#options.history.samples(entry.http.series),
      },
    }));
  }
}
