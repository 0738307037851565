import type { Path, Plane } from '../model/path.js';
import type { PathState } from '../model/path-state.js';
import type { RowTarget, Target } from '../model/target.js';
import type { Clock } from '../platform/clock.js';
import { ProtocolScheduler } from '../probing/schedule/protocol-scheduler.js';
import type { ProbeHistory } from '../results/probe-history.js';
import type { TargetProber } from './probers/target-prober.js';
import { targetCadence, targetPhaseMs, type TargetLoad } from './target-plan.js';
import { TargetResults, type TargetTransition } from './target-results.js';
import type { TargetPlaneView } from './views.js';

export interface WatchedTargetOptions {
  readonly target: Target;
  /** The plane from which this process probes. */
  readonly plane: Plane;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly history: ProbeHistory;
  readonly load: () => TargetLoad;
  readonly onTransition: (transition: TargetTransition) => void;
}

/** Probes due within this time go out together. */
const groupMs = 75;

/** One target that this process probes from its plane: its prober, its schedule and its results. */
export class WatchedTarget {
  readonly target: Target;
  readonly results: TargetResults;
  readonly #options: WatchedTargetOptions;
  readonly #path: Path;
  #prober: TargetProber | undefined;
  #scheduler: ProtocolScheduler | undefined;
  #isBegun = false;
  #isStopped = false;

  constructor(options: WatchedTargetOptions) {
    const { target, plane, clock, history } = options;
    this.#options = options;
    this.target = target;
    this.results = new TargetResults(clock, history);
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

  /** Looks once, because other agents saw it change. */
  look(): void {
    this.#scheduler?.look(this.#path);
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
      servers: this.#prober?.servers() ?? [],
    };
  }

  /** The same in short, as rows tell it. */
  row(): RowTarget {
    const { target, plane, clock } = this.#options;
    const { state, sinceMs } = this.results.verdict();
    const { rtts } = this.results.summary();
    const { failureKind } = this.results.state;
    const nowMs = clock.nowMs();
    const secondsSince = (ms: number): number => Math.max((nowMs - ms) / 1000, 0);
    const failingServers = (this.#prober?.servers() ?? []).flatMap(
      ({ state: { state: of } }, index) => (of === 'unreachable' ? [index] : []),
    );
    const { probedMs } = this.results;
    return {
      target: target.name,
      digest: target.digest,
      plane,
      state,
      ageSeconds: Math.floor(secondsSince(sinceMs)),
      // Rounded up: nobody is to believe that it has looked since something that came after.
      probedSeconds: Math.ceil(secondsSince(probedMs === -Infinity ? sinceMs : probedMs)),
      ...(state === 'unreachable' && failureKind && { failure: failureKind }),
      ...(rtts && { p50Ns: rtts.p50, p99Ns: rtts.p99 }),
      ...(failingServers.length > 0 && { failingServers }),
    };
  }

  stop(): void {
    this.#isStopped = true;
    this.#scheduler?.stop();
    this.results.close();
  }

  #start(prober: TargetProber): void {
    const { target, clock, random, load } = this.#options;
    this.#prober = prober;
    this.#scheduler = new ProtocolScheduler({
      prober,
      cadence: targetCadence(target, load),
      groupMs,
      clock,
      random,
      phaseMs: () => targetPhaseMs(target, load()),
      record: (_, sample) => this.#record(() => this.results.record(sample)),
    });
    this.#scheduler.add([this.#path]);
  }

  #record(record: () => PathState): PathState | undefined {
    if (this.#isStopped) return undefined;
    const before = this.results.state;
    const after = record();
    if (after.state !== before.state) {
      const { target, plane, onTransition } = this.#options;
      onTransition({ target: target.name, digest: target.digest, plane, before, after });
    }
    return after;
  }
}
