import type { Node } from '../model/node.js';
import type { Path, Plane } from '../model/path.js';
import type { RowChange, RowSign } from '../model/row-host.js';
import type { RowLarge } from '../model/row-large.js';
import type { RowReceiver } from '../model/row-notices.js';
import { type ObservedRow, type ObservedWholeRow, type Row, type RowFlows } from '../model/row.js';
import type { Protocol, Sample } from '../model/sample.js';
import type { RowTarget } from '../model/target.js';
import type { Clock } from '../platform/clock.js';
import { runAtOnce, runInSlices, type Steps } from '../platform/time-slices.js';
import { ExpectedPaths } from './expected-paths.js';
import { NodeDirectory, type PathChanges } from './node-directory.js';
import { Observers, type ObserverCounts, type RowListener } from './observers.js';
import { OwnRow } from './own-row.js';
import {
  buildRow,
  emptyRow,
  type OwnHead as OwnRowHead,
  type VisitFurtherPathsInSteps,
  type VisitPaths,
  type VisitPathsInSteps,
} from './row/build-row.js';
import { tellsOfHost } from './row/signs.js';
import { withLarge } from './row/large.js';
import type { Intervals } from './row/sweeps.js';
import { areTargetsWell } from './row/targets.js';
import { UnsentProbes } from './unsent-probes.js';
import { WholeRows, type MedianRttOf } from './whole-rows.js';

/** What this agent says of itself in its row. */
export type OwnHead = Pick<Row, 'version' | 'httpIntervalMs' | 'httpTimeoutMs'> &
  Pick<Row['health'], 'ready' | 'starved'> & { readonly intervalsMs?: Intervals };

/** The results of this agent, of which its own row is made. */
export interface OwnPaths {
  readonly visitPrimaryPaths: VisitPaths;
  readonly visitPrimaryPathsInSteps: VisitPathsInSteps;
  readonly visitFurtherPathsInSteps: VisitFurtherPathsInSteps;
  readonly medianRtt: MedianRttOf;
}

export interface PeersOptions {
  /** This agent's own node. */
  readonly localName: string;
  readonly clock: Clock;
  readonly paths: OwnPaths;
  readonly head: () => OwnHead;
  /** What this agent says of each target; left out, there are none. */
  readonly targets?: () => readonly RowTarget[];
  /** The flows that never pass a path while others do; left out, none was tested. */
  readonly flowsOf?: (path: Path) => RowFlows | undefined;
  /** What this agent knows of large packets; left out, or undefined: nothing. */
  readonly large?: () => RowLarge | undefined;
  /** The signs of this host; left out, nobody reads them. */
  readonly signs?: () => readonly RowSign[];
  /** What receivers of notices were told; left out, nobody is told of findings. */
  readonly notices?: () => readonly RowReceiver[];
  /** What changed last on this host; left out, nobody looks. */
  readonly changes?: () => readonly RowChange[];
  /** Whether agents tell each other anything. If not, no row is missed. */
  readonly isMeshOn: boolean;
}

const noObservers: ObserverCounts = {
  fresh: 0,
  stale: 0,
  missed: 0,
  silent: 0,
  plain: 0,
  oldestMs: undefined,
};

/** An observer's interval and timeout are believed up to so many times this agent's own. */
const believedFactor = 10;

/**
 * What is known of the other agents: which nodes are listed, what each agent sees, and what this
 * one sees. It is always there; whatever agents exchange only feeds it.
 */
export class Peers {
  readonly localName: string;
  readonly directory = new NodeDirectory();
  readonly expected: ExpectedPaths;
  readonly observers: Observers;
  readonly ownRow: OwnRow;
  readonly wholeRows: WholeRows;
  readonly #options: PeersOptions;
  readonly #unsent = new UnsentProbes();

  constructor(options: PeersOptions) {
    this.#options = options;
    const { localName, clock, paths, head } = options;
    this.localName = localName;
    this.expected = new ExpectedPaths(this.directory, localName);
    this.observers = new Observers(this.directory, localName, () => {
      const { httpIntervalMs, httpTimeoutMs } = head();
      return {
        httpIntervalMs: believedFactor * httpIntervalMs,
        httpTimeoutMs: believedFactor * httpTimeoutMs,
      };
    });
    this.ownRow = new OwnRow({
      clock,
      build: () => this.#buildOwnRow(),
      empty: () => emptyRow(this.#ownHead()),
      zoneOf: (node) => this.directory.zoneOf(node),
    });
    this.wholeRows = new WholeRows({
      clock,
      directory: this.directory,
      visitPaths: (visit) => paths.visitPrimaryPaths(visit),
      medianRtt: (path, protocol) => paths.medianRtt(path, protocol),
    });
  }

  /** Takes a whole new node list, and which of the paths to it came and went. */
  update(nodes: readonly Node[], changes: PathChanges): void {
    runAtOnce(this.#update(nodes, changes));
  }

  /** The same in slices. Wait for it before the next list is given. */
  updateInSlices(nodes: readonly Node[], changes: PathChanges): Promise<void> {
    return runInSlices(this.#update(nodes, changes));
  }

  /** Takes the result of a probe of this agent. */
  noteSample(protocol: Protocol, sample: Sample): void {
    this.#unsent.note(protocol, sample);
  }

  /** Builds the own row anew, step by step. */
  prepareOwnRow(): Steps<void> {
    return this.ownRow.prepare();
  }

  /**
   * This agent's own row, built anew if it is older than that. With thousands of nodes the row that
   * was prepared last serves while it is built.
   */
  ownRowOf(maxAgeMs: number): ObservedRow {
    const { row, writtenMs } = this.ownRow.latest(maxAgeMs);
    const bodyAgeMs = Math.max(this.#options.clock.nowMs() - writtenMs, 0);
    return {
      row,
      ageMs: 0,
      bodyAgeMs,
      freshness: 'fresh',
      areTargetsWell: areTargetsWell(row.targets),
      tellsOfHost: tellsOfHost(row),
    };
  }

  /** The last row of each observer. */
  rows(): Generator<ObservedRow> {
    return this.observers.rows(this.#options.clock.nowMs());
  }

  /** How many observers are fresh, stale and silent. */
  counts(): ObserverCounts {
    if (!this.#options.isMeshOn) return noObservers;
    return this.observers.counts(this.#options.clock.nowMs());
  }

  /** Listed nodes that never sent a row, and for how many milliseconds they are listed. */
  *silent(): Generator<{ readonly name: string; readonly listedForMs: number }, void> {
    if (!this.#options.isMeshOn) return;
    const nowMs = this.#options.clock.nowMs();
    for (const { name, listedMs } of this.observers.silent()) {
      yield { name, listedForMs: nowMs - listedMs };
    }
  }

  /** How long ago a peer's own GET, or its answer, last came, in milliseconds. */
  heardMsAgo(name: string): number | undefined {
    const heardMs = this.observers.heardMs(name);
    return heardMs === undefined ? undefined : this.#options.clock.nowMs() - heardMs;
  }

  /** For how many milliseconds a peer has answered this agent's GETs without a row; undefined where its last answer had one. */
  plainForMs(name: string): number | undefined {
    const plainMs = this.observers.plainMs(name);
    return plainMs === undefined ? undefined : this.#options.clock.nowMs() - plainMs;
  }

  /** An observer's whole row, if it was asked for and has come. */
  wholeRow(observer: string, plane: Plane, protocol: Protocol): ObservedWholeRow | undefined {
    return this.wholeRows.get(observer, plane, protocol);
  }

  /** Calls the listener when an observer's row has changed. Returns how to remove it. */
  onRow(listener: RowListener): () => void {
    return this.observers.onRow(listener);
  }

  stop(): void {
    this.ownRow.stop();
  }

  *#update(nodes: readonly Node[], changes: PathChanges): Steps<void> {
    yield* this.directory.updateInSteps(nodes, changes, this.#options.clock.nowMs());
    this.observers.retainListed();
    yield;
    this.wholeRows.update();
    // So the own row tells of this list, and is there when a peer asks first.
    yield* this.ownRow.prepare();
  }

  *#buildOwnRow(): Steps<Row> {
    const { clock, paths, flowsOf } = this.#options;
    const own = this.#options.head();
    const head = this.#ownHead(own);
    const nowMs = clock.nowMs();
    const row = yield* buildRow({
      head,
      nowMs,
      intervalsMs: own.intervalsMs ?? {},
      visitPaths: (visit) => paths.visitPrimaryPathsInSteps(visit),
      visitFurtherPaths: (visit) =>
        paths.visitFurtherPathsInSteps((path, ...known) => {
          if (path.node !== this.localName) visit(path, ...known);
        }),
      zoneOf: (node) => this.directory.zoneOf(node),
      ...(flowsOf && { flowsOf }),
      lastGetMs: (node) => this.observers.getMs(node),
    });
    const large = this.#options.large?.();
    return large ? withLarge(row, large) : row;
  }

  #ownHead(own = this.#options.head()): OwnRowHead {
    const { ready, starved, version, httpIntervalMs, httpTimeoutMs } = own;
    const targets = this.#options.targets?.() ?? [];
    const signs = this.#options.signs?.() ?? [];
    const notices = this.#options.notices?.() ?? [];
    const changes = this.#options.changes?.() ?? [];
    return {
      version,
      httpIntervalMs,
      httpTimeoutMs,
      ...(targets.length > 0 && { targets }),
      ...(signs.length > 0 && { signs }),
      ...(notices.length > 0 && { notices }),
      ...(changes.length > 0 && { changes }),
      observer: this.localName,
      health: { ready, starved, notSending: this.#unsent.protocols },
      list: this.directory.list,
    };
  }
}
