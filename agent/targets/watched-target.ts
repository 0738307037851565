import type { Path, Plane } from '../model/path.js';
import type { PathState } from '../model/path-state.js';
import type { Sample } from '../model/sample.js';
import { rowAges, rowRtts, type RowTarget, type Target } from '../model/target.js';
import type { Clock } from '../platform/clock.js';
import { ProtocolScheduler } from '../probing/schedule/protocol-scheduler.js';
import type { ProbeHistory } from '../results/probe-history.js';
import type { TargetProber } from './probers/target-prober.js';
import {
  areFew,
  leastRoundGapMs,
  targetCadence,
  targetIntervalMs,
  targetPhaseMs,
  untilTurnMs,
  type TargetLoad,
} from './target-plan.js';
import { TargetResults, type ServerTransition, type TargetTransition } from './target-results.js';
import {
  askedServers,
  changedServers,
  failingServers,
  isServerSuspected,
  type TargetPlaneView,
  type TargetServerView,
} from './views.js';

export interface WatchedTargetOptions {
  readonly target: Target;
  /** The plane from which this process probes. */
  readonly plane: Plane;
  /** The name of the node: it decides when it is its turn. */
  readonly node: () => string;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly history: ProbeHistory;
  readonly load: () => TargetLoad;
  readonly onTransition: (transition: TargetTransition) => void;
  /**
   * Called with the reason when a probe cannot be sent, again with each other reason, and with undefined when they are
   * sent or given up. Left out, nobody asks.
   */
  readonly onNotSent?: (target: string, reason: string | undefined) => void;
  /** Left out, nobody asks. */
  readonly onServer?: (transition: ServerTransition) => void;
}

/** Probes due within this time go out together. */
const grouping = { shortestMs: 75 };

const unknownServer: TargetServerView['state'] = {
  state: 'unknown',
  failure: undefined,
  failureKind: undefined,
};

/** One target that this process probes from its plane: its prober, its schedule and its results. */
export class WatchedTarget {
  readonly target: Target;
  readonly results: TargetResults;
  readonly #options: WatchedTargetOptions;
  readonly #path: Path;
  #prober: TargetProber | undefined;
  #scheduler: ProtocolScheduler | undefined;
  /** When the last look was that says something, of each server too. */
  #decidedMs = -Infinity;
  /** The last state that was known. */
  #known: PathState;
  /** The servers that failed when the target was well last, and when another one began to or answered again. */
  #failing: readonly number[] = [];
  #serversSinceMs = -Infinity;
  #openProbes = 0;
  /** When it was last probed out of turn. */
  #outOfTurnMs = -Infinity;
  #cancelProbe: (() => void) | undefined;
  #isBegun = false;
  #isStopped = false;

  constructor(options: WatchedTargetOptions) {
    const { target, plane, clock, history, load } = options;
    this.#options = options;
    this.target = target;
    const holdsMs = (): number => 2 * targetIntervalMs(target, load()) + target.timeoutMs;
    this.results = new TargetResults({ clock, history, holdsMs });
    this.#known = this.results.state;
    this.#path = { node: '', plane, ip: target.name };
  }

  /** Whether it is probed, or will be as soon as its prober is there. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Begins to probe. The first probe comes when it is its turn among all agents. */
  begin(createProber: (target: Target) => Promise<TargetProber>): void {
    this.#isBegun = true;
    if (this.target.notProbedBecause !== undefined) return;
    void createProber(this.target).then((prober) => {
      if (this.#isStopped) prober.close();
      else this.#start(prober);
    });
  }

  /** The load has changed, and so the interval. */
  replan(): void {
    this.#scheduler?.replan();
  }

  /**
   * Probes it once, because others saw it change, unless what is under way decides that. However often it is called, the
   * probes keep a least gap (`leastRoundGapMs`): one that comes too early waits, and further ones join it.
   */
  probeSoon(): void {
    if (this.#cancelProbe) return;
    const { clock, load } = this.#options;
    const nowMs = clock.nowMs();
    const waitMs = this.#outOfTurnMs + leastRoundGapMs(load()) - nowMs;
    if (waitMs > 0) {
      this.#cancelProbe = clock.after(waitMs, () => {
        this.#cancelProbe = undefined;
        this.probeSoon();
      });
      return;
    }
    const isDeciding = this.#openProbes > 0 || this.#prober?.servers().some(isServerSuspected);
    if (isDeciding === true) return;
    this.#outOfTurnMs = nowMs;
    this.#scheduler?.probeSoon(this.#path);
  }

  /** When the last probe was sent, monotonic milliseconds; -Infinity for never. */
  get sentMs(): number {
    return this.#scheduler?.activity(this.#path)?.sentMs ?? -Infinity;
  }

  view(): TargetPlaneView {
    const { rtts, loss, isLossy, isSlow } = this.results.summary();
    return {
      plane: this.#options.plane,
      unknownBecause: this.target.notProbedBecause ?? this.#prober?.unknownBecause,
      state: this.results.state,
      isLossy,
      isSlow,
      rtts,
      loss,
      answer: this.#prober?.answer() ?? {},
      servers: this.#servers(),
    };
  }

  /**
   * Since when it is in its state, with the same servers failing, and when the last look was that says so, in monotonic
   * milliseconds.
   */
  times(): { readonly sinceMs: number; readonly lookedMs: number } {
    const sinceMs = Math.max(this.results.verdict().sinceMs, this.#serversSinceMs);
    this.#noteDecided();
    return { sinceMs, lookedMs: this.#isDecided ? this.#decidedMs : sinceMs };
  }

  /** The same in short, as rows tell it. */
  row(): RowTarget {
    const { target, plane, clock } = this.#options;
    const { sinceMs, lookedMs } = this.times();
    // Before the first look has decided on each server, it says nothing.
    const state = this.#isDecided ? this.results.verdict().state : 'unknown';
    const { rtts } = this.results.summary();
    const { failureKind } = this.results.state;
    const nowMs = clock.nowMs();
    const asked = this.#servers();
    const [failing, servers] = [failingServers(asked), askedServers(asked)];
    return {
      target: target.name,
      digest: target.digest,
      plane,
      state,
      ...rowAges(nowMs - sinceMs, nowMs - lookedMs),
      ...(state === 'unreachable' && failureKind && { failure: failureKind }),
      ...(rtts && rowRtts(rtts)),
      ...(failing.length > 0 && { failingServers: failing }),
      ...(servers && { servers }),
    };
  }

  /** What is known of each server. It is as old as what is known of the target. */
  #servers(): readonly TargetServerView[] {
    const servers = this.#prober?.servers() ?? [];
    const isOld = this.#isDecided && this.results.state.state === 'unknown';
    return isOld ? servers.map(({ server }) => ({ server, state: unknownServer })) : servers;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelProbe?.();
    this.#scheduler?.stop();
    if (this.results.state.notSent !== undefined) this.#tellNotSent(undefined);
    this.results.close();
  }

  #start(prober: TargetProber): void {
    const { target, plane, node, clock, random, load } = this.#options;
    this.#prober = prober;
    prober.onServers?.(() => this.#noteServers());
    this.#scheduler = new ProtocolScheduler({
      prober: {
        close: () => prober.close(),
        probe: (path, timeoutMs, settle) => {
          this.#openProbes++;
          return prober.probe(path, timeoutMs, (sample) => {
            this.#openProbes--;
            settle(sample);
          });
        },
      },
      cadence: targetCadence(target, load),
      grouping,
      clock,
      random,
      firstMs: () => untilTurnMs(target, load(), { node: node(), plane, wallMs: clock.wallMs() }),
      record: (_, sample) => this.#record(sample),
    });
    this.#scheduler.add([this.#path]);
    // So few that nobody needs to wait for its turn to know something.
    if (areFew(load()))
      clock.after(random() * targetPhaseMs(target, load()), () => this.probeSoon());
  }

  #noteServers(): void {
    const { target, plane, onServer } = this.#options;
    const servers = this.#prober?.servers() ?? [];
    const failing = failingServers(servers);
    // What fails as a whole is told as such.
    const isPart = failing.length < servers.length && this.results.state.state !== 'unreachable';
    if (this.#isStopped || !isPart) return;
    const changes = changedServers(this.#failing, failing);
    if (changes.length > 0) this.#serversSinceMs = this.#options.clock.nowMs();
    this.#failing = failing;
    for (const change of changes)
      onServer?.({ target: target.name, digest: target.digest, plane, ...change });
  }

  get #isDecided(): boolean {
    return this.#decidedMs > -Infinity;
  }

  #noteDecided(): void {
    if (this.#prober?.servers().some(isServerSuspected) !== true)
      this.#decidedMs = this.results.probedMs;
  }

  #record(sample: Sample): PathState | undefined {
    if (this.#isStopped) return undefined;
    const { target, plane, onTransition } = this.#options;
    const { notSent } = this.results.state;
    const after = this.results.record(sample);
    this.#noteDecided();
    if (after.notSent !== notSent) this.#tellNotSent(after.notSent);
    const before = this.#known;
    if (after.state !== 'unknown') this.#known = after;
    if (this.#known.state !== before.state)
      onTransition({ target: target.name, digest: target.digest, plane, before, after });
    return after;
  }

  #tellNotSent(reason: string | undefined): void {
    this.#options.onNotSent?.(this.target.name, reason);
  }
}
