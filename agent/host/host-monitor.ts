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

  /** Tells of a change that was found elsewhere. Of each kind and subject the last two are kept. */
  noteChange(change: SeenChange): void {
    this.log.noteChange(change, 2);
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

  async #read(): Promise<void> {
    const { clock, sources, facts, onNews } = this.#options;
    const [read, found] = await Promise.all([
      Promise.all(sources.map((source) => source.read())),
      Promise.all(facts.map((readFacts) => readFacts())),
    ]);
    if (this.#isStopped) return;
    const measures = read.flat();
    const shown = new Set(measures.map(({ sign }) => sign));
    this.#missing = sources.flatMap((source) => missingOf(source, shown));
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

function missingOf(source: HostSource, shown: ReadonlySet<HostSign>): MissingSigns[] {
  const signs = source.signs.filter((sign) => !shown.has(sign));
  if (signs.length === 0) return [];
  const because = source.because?.();
  return [{ signs, files: source.files, ...(because !== undefined && { because }) }];
}
