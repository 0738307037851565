import type { Plane } from '../model/path.js';
import {
  maxRowSigns,
  type HostSign,
  type RowChange,
  type RowSign,
  type SeenChange,
} from '../model/row-host.js';
import type { Clock } from '../platform/clock.js';
import { ChangeLog, type ReadFacts } from './change-log.js';
import type { HostSource } from './measure.js';
import { SignJudge } from './sign-judge.js';

const readEveryMs = 10_000;
const longestReadMs = 5000;
/** What is asked for at once is read at most this often. */
const leastGapMs = 2000;

export interface HostMonitorOptions {
  readonly clock: Clock;
  readonly sources: readonly HostSource[];
  /** What is compared from reading to reading. */
  readonly facts: readonly ReadFacts[];
  /** Whose network namespace is read. */
  readonly plane: Plane;
  /** What is known of the pod network of the same node; left out, or undefined, nothing. */
  readonly pods?: () => PodNetwork | undefined;
  /** Called when a sign came or went, or something changed. */
  readonly onNews: () => void;
}

/** Signs that are not watched on this host, the files that its kernel does not show, and any other reason. */
export interface MissingSigns {
  readonly signs: readonly HostSign[];
  readonly files: string;
  readonly because?: string;
}

/** What the pod network of a node shows. */
export interface PodNetwork {
  readonly signs: readonly RowSign[];
  readonly missing: MissingSigns | undefined;
}

/** Reads the figures of a host once in ten seconds, and keeps the signs among them. */
export class HostMonitor {
  readonly #options: HostMonitorOptions;
  readonly log = new ChangeLog();
  readonly #judge = new SignJudge();
  #missing: readonly MissingSigns[] = [];
  #cancel: (() => void) | undefined;
  #isReading = false;
  /** What is being read. */
  readonly #hanging = new Set<unknown>();
  #isStopped = false;
  #readMs = -Infinity;
  #known = '';

  constructor(options: HostMonitorOptions) {
    this.#options = options;
  }

  /** Begins with the first reading. */
  start(): void {
    this.#beat();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  /** Reads again at once, unless that was done just now. */
  readSoon(): void {
    const { clock } = this.#options;
    if (this.#isStopped || clock.nowMs() - this.#readMs < leastGapMs) return;
    this.#beat();
  }

  /** The signs of now, as the own row tells them: at most as many as that has room for. */
  signs(): readonly RowSign[] {
    const { clock, plane } = this.#options;
    const nowMs = clock.nowMs();
    const own = this.#judge.signs.map(({ sign, about, value, limit, sinceMs, orBefore }) => ({
      sign,
      plane,
      about,
      value,
      limit,
      ...(orBefore && { orBefore }),
      ageSeconds: Math.max(Math.round((nowMs - sinceMs) / 1000), 0),
    }));
    return [...own, ...(this.#options.pods?.()?.signs ?? [])].slice(0, maxRowSigns);
  }

  /** What changed last on this host, as the own row tells it. */
  changes(): readonly RowChange[] {
    return this.log.changes(this.#options.clock.nowMs());
  }

  /** Tells of a change that was found elsewhere. */
  noteChange(change: SeenChange): void {
    this.log.noteChange(change);
    this.#options.onNews();
  }

  /** What this kernel did not show at the last reading. */
  missing(): readonly MissingSigns[] {
    const { missing } = this.#options.pods?.() ?? {};
    return missing ? [...this.#missing, missing] : this.#missing;
  }

  #beat(): void {
    const { clock } = this.#options;
    this.#cancel?.();
    this.#cancel = clock.after(readEveryMs, () => this.#beat());
    if (this.#isReading) return;
    this.#isReading = true;
    this.#readMs = clock.nowMs();
    void this.#read().finally(() => void (this.#isReading = false));
  }

  /**
   * Waits for a reading for some seconds: a driver in trouble may hold one for ever, and what else is read says more then than before.
   * Undefined where it did not come, or the one before has not come yet.
   */
  async #within<T>(of: unknown, read: () => Promise<T>): Promise<T | undefined> {
    if (this.#hanging.has(of)) return undefined;
    this.#hanging.add(of);
    const done = read().finally(() => this.#hanging.delete(of));
    let cancel = (): void => undefined;
    const late = new Promise<undefined>((resolve) => {
      cancel = this.#options.clock.after(longestReadMs, () => resolve(undefined));
    });
    return Promise.race([done, late]).finally(() => cancel());
  }

  async #read(): Promise<void> {
    const { clock, sources, facts, onNews } = this.#options;
    const [read, found] = await Promise.all([
      Promise.all(sources.map((source) => this.#within(source, () => source.read()))),
      Promise.all(facts.map((readFacts) => this.#within(readFacts, readFacts))),
    ]);
    if (this.#isStopped) return;
    const measures = read.flatMap((some) => some ?? []);
    const shown = new Set(measures.map(({ sign }) => sign));
    this.#missing = sources.flatMap((source) => missingOf(source, shown, this.#hanging));
    this.#judge.note(measures, clock.nowMs());
    const known = this.signs()
      .map(({ sign, plane, about }) => `${sign} ${plane} ${about}`)
      .join();
    const changed = this.log.compare(
      found.flatMap((some) => some ?? []),
      clock.nowMs(),
    );
    if (known === this.#known && changed === 0) return;
    this.#known = known;
    onNews();
  }
}

function missingOf(
  source: HostSource,
  shown: ReadonlySet<HostSign>,
  hanging: ReadonlySet<unknown>,
): MissingSigns[] {
  const signs = source.signs.filter((sign) => !shown.has(sign));
  if (signs.length === 0) return [];
  const because = hanging.has(source) ? 'the kernel did not answer' : source.because?.();
  return [{ signs, files: source.files, ...(because !== undefined && { because }) }];
}
