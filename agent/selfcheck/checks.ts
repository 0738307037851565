import type { Checkup } from '../../api/schema/kubelet.js';
import { untilBeatMs, type Clock } from '../platform/clock.js';
import { messageOf } from '../platform/errors.js';
import type { ComponentOptions, Health, Report } from './health.js';

/** A component that is checked on a timer; others report by themselves. */
export interface Check extends ComponentOptions {
  /** How often it is checked once it has been well. Until then it is checked on every tick. */
  readonly everyMs: number;
  /**
   * Checks now. An exception counts as a failure. The signal aborts when nobody waits for the
   * result any more.
   */
  readonly run: (signal: AbortSignal) => Report | Promise<Report>;
}

export interface ChecksOptions {
  readonly clock: Clock;
  readonly health: Health;
  /** Called after each tick. */
  readonly onTick?: () => void;
  /** Called with how many milliseconds the whole process stood still. */
  readonly onProcessStall?: (ms: number) => void;
}

interface Running {
  readonly check: Check;
  readonly report: (report: Report) => void;
  wasWell: boolean;
  busy: boolean;
  dueMs: number;
}

/** The time between two ticks. */
const tickMs = 1000;
/** In its first seconds an agent is waited for, so what is not well yet is checked more often. */
const startTickMs = 200;
const startLastsMs = 10_000;
/** The timer is that late only if the whole process stood still. */
const processStallMs = 1000;
/** The hard timeout of all checks of one `GET /healthz`. */
const checkupTimeoutMs = 3000;

/** Runs each check when it is due, and all of them at once on demand. */
export class Checks {
  readonly #options: ChecksOptions;
  readonly #running: readonly Running[];
  readonly #stopping = new AbortController();
  #cancelTimer: () => void = () => undefined;
  #checkup: Promise<Checkup> | undefined;
  #startedMs = 0;

  constructor(checks: readonly Check[], options: ChecksOptions) {
    this.#options = options;
    this.#running = checks.map((check) => {
      const report = options.health.register(check);
      return { check, report, wasWell: false, busy: false, dueMs: 0 };
    });
  }

  start(): void {
    this.#startedMs = this.#options.clock.nowMs();
    this.#tick();
  }

  stop(): void {
    this.#stopping.abort();
    this.#cancelTimer();
  }

  /**
   * Runs every check now, concurrently, and returns what each found. A check that does not end in
   * time has failed. Callers that come meanwhile share the run. The results do not count as
   * failures in a row, so frequent calls make nothing fail sooner.
   */
  checkup(): Promise<Checkup> {
    this.#checkup ??= this.#runAll().finally(() => (this.#checkup = undefined));
    return this.#checkup;
  }

  #tick(): void {
    const { clock, health, onTick, onProcessStall: onStoodStill } = this.#options;
    const startMs = clock.nowMs();
    for (const running of this.#running) {
      if (!running.busy && running.dueMs <= startMs) void this.#run(running, startMs);
    }
    onTick?.();
    const isStarting =
      startMs - this.#startedMs < startLastsMs && this.#running.some(({ wasWell }) => !wasWell);
    const nowMs = clock.nowMs();
    const waitMs = untilBeatMs(isStarting ? startTickMs : tickMs, nowMs);
    const dueMs = nowMs + waitMs;
    this.#cancelTimer = clock.after(waitMs, () => {
      const lateMs = clock.nowMs() - dueMs;
      if (lateMs > processStallMs) {
        health.extendDeadlines(lateMs);
        onStoodStill?.(lateMs);
      }
      this.#tick();
    });
  }

  async #run(running: Running, nowMs: number): Promise<void> {
    const { check } = running;
    running.busy = true;
    const found = runCheck(check, this.#stopping.signal);
    // The result of a check that does not wait is known before the tick ends.
    const report = found instanceof Promise ? await found : found;
    running.busy = false;
    if (this.#stopping.signal.aborted) return;
    running.wasWell ||= report.ok;
    // A check may run a little early, so that it does not run a whole tick late.
    running.dueMs = running.wasWell ? nowMs + check.everyMs - tickMs / 2 : 0;
    running.report(report);
  }

  async #runAll(): Promise<Checkup> {
    const timeout = new AbortController();
    let expire: () => void = () => undefined;
    const late: Report = { ok: false, message: `not through within ${checkupTimeoutMs} ms` };
    const expired = new Promise<Report>((resolve) => (expire = () => resolve(late)));
    const cancel = this.#options.clock.after(checkupTimeoutMs, () => {
      timeout.abort();
      expire();
    });
    const found = await Promise.all(
      this.#running.map(async ({ check }): Promise<[string, Checkup['checks'][string]]> => {
        const { ok, message } = await Promise.race([runCheck(check, timeout.signal), expired]);
        return [check.name, { ok, message }];
      }),
    );
    cancel();
    const checks = { ...reportedComponents(this.#options.health), ...Object.fromEntries(found) };
    const reasons = Object.entries(checks)
      .filter(([, { ok }]) => !ok)
      .map(([name, { message }]) => `${name}: ${message}`);
    return { ok: reasons.length === 0, reasons, checks };
  }
}

/** The state of components that report by themselves is listed beside the checks. */
function reportedComponents(health: Health): Checkup['checks'] {
  const { components } = health.status();
  return Object.fromEntries(
    Object.entries(components).map(([name, { ok, message }]) => [name, { ok, message }]),
  );
}

function runCheck(check: Check, signal: AbortSignal): Report | Promise<Report> {
  const fail = (error: unknown): Report => ({ ok: false, message: messageOf(error) });
  try {
    const found = check.run(signal);
    return found instanceof Promise ? found.catch(fail) : found;
  } catch (error) {
    return fail(error);
  }
}
