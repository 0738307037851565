import type { ComponentsReport, HealthAnswer } from '../../api/schema/kubelet.js';
import type { Clock } from '../platform/clock.js';

/** What a part of the agent reports about itself. A `note` is shown even if all is well. */
export interface Report {
  readonly ok: boolean;
  readonly message: string;
  readonly note?: boolean;
}

export interface ComponentOptions {
  readonly name: string;
  /**
   * It fails if it reports nothing for so many milliseconds. Infinity: it reports only when there
   * is news.
   */
  readonly timeoutMs: number;
  /** How many failures in a row are ignored once it has been well. */
  readonly allowedFailures: number;
  /** It counts for liveness, because a restart would help. */
  readonly live: boolean;
  /** It counts for readiness. */
  readonly ready: boolean;
}

interface Entry extends ComponentOptions {
  /** It has been well at least once. */
  initialized: boolean;
  report: Report;
  failures: number;
  reportedMs: number;
  updatedAt: number;
}

interface ComponentHealth {
  readonly ok: boolean;
  readonly failed: boolean;
  readonly message: string;
}

/**
 * Collects the reports of the agent's parts. A component fails if it reported more failures in a
 * row than allowed, or nothing within its timeout. The agent is ready once each component that
 * counts for readiness has been well. It is live until a component that counts for liveness fails.
 */
export class Health {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Registers a component and returns how it reports.
   * @throws Error where the name is taken
   */
  register(options: ComponentOptions): (report: Report) => void {
    const { name } = options;
    if (this.#entries.has(name)) throw new Error(`two components named ${name}`);
    const entry: Entry = {
      ...options,
      initialized: false,
      report: { ok: false, message: 'nothing reported yet' },
      failures: 0,
      reportedMs: this.#clock.nowMs(),
      updatedAt: this.#clock.wallMs(),
    };
    this.#entries.set(name, entry);
    return (report) => {
      entry.report = report;
      entry.initialized ||= report.ok;
      entry.failures = report.ok ? 0 : entry.failures + 1;
      entry.reportedMs = this.#clock.nowMs();
      entry.updatedAt = this.#clock.wallMs();
    };
  }

  /** Time in which the whole process stood still is not counted as silence of a component. */
  extendDeadlines(ms: number): void {
    for (const entry of this.#entries.values()) entry.reportedMs += ms;
  }

  live(): HealthAnswer {
    return this.#summary('live');
  }

  ready(): HealthAnswer {
    return this.#summary('ready');
  }

  /** The components that were well and now fail, with the reason. */
  failed(): ReadonlyMap<string, string> {
    const failed = [...this.#entries.values()].filter((entry) => entry.initialized);
    return new Map(
      failed.flatMap((entry): [string, string][] => {
        const health = this.#healthOf(entry);
        return health.ok ? [] : [[entry.name, health.message]];
      }),
    );
  }

  /** Everything, as `GET /status` gives it. */
  status(): ComponentsReport {
    const [live, ready] = [this.live(), this.ready()];
    const entries = [...this.#entries.values()];
    const reasons = [...new Set([...live.reasons, ...ready.reasons])];
    return {
      healthy: live.ok,
      ready: ready.ok,
      message: reasons.length > 0 ? reasons.join('; ') : 'all is well',
      lastUpdate: new Date(Math.max(...entries.map((entry) => entry.updatedAt), 0)).toISOString(),
      components: Object.fromEntries(
        entries.map((entry) => {
          const { name, initialized, live, ready, updatedAt } = entry;
          const { ok, message } = this.#healthOf(entry);
          const facts = { initialized, live, ready, ok, message };
          return [name, { ...facts, updatedAt: new Date(updatedAt).toISOString() }];
        }),
      ),
    };
  }

  #summary(kind: 'live' | 'ready'): HealthAnswer {
    const reasons: string[] = [];
    const notes: string[] = [];
    for (const entry of this.#entries.values()) {
      if (!entry[kind]) continue;
      const { ok, failed, message } = this.#healthOf(entry);
      if (kind === 'live' ? failed : !ok) reasons.push(`${entry.name}: ${message}`);
      else if (entry.report.note === true) notes.push(`${entry.name}: ${message}`);
    }
    return { ok: reasons.length === 0, reasons, notes };
  }

  #healthOf(entry: Entry): ComponentHealth {
    const { initialized, report, failures, allowedFailures, reportedMs, timeoutMs } = entry;
    const silentMs = this.#clock.nowMs() - reportedMs;
    if (silentMs > timeoutMs) {
      const words = `silent for ${seconds(silentMs)}, expected news within ${seconds(timeoutMs)}`;
      return { ok: false, failed: true, message: `${words}; last: ${report.message}` };
    }
    const failed = failures > allowedFailures;
    return { ok: initialized && !failed, failed, message: report.message };
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
