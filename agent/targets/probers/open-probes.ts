import type { Outcome, Sample } from '../../model/sample.js';
import { timeout } from '../../model/sample.js';
import type { EventLoop, Measurement } from '../../platform/event-loop.js';
import { messageOf } from '../../platform/errors.js';

/** One probe under way. */
export interface OpenProbe {
  readonly measurement: Measurement;
  /** How long it may still take, at least one millisecond. */
  remainingMs(): number;
  isOpen(): boolean;
  /** Ends what the probe holds. It is called once: at its end, or at once where it has ended. */
  onEnd(release: () => void): void;
  /** What becomes of it at its deadline; by default it has timed out. */
  onDeadline(action: () => void): void;
  /** A round trip that was timed in this process, as an outcome. */
  reply(rttNs: number): Outcome;
  /** Settles it. Only the first call counts. */
  end(outcome: Outcome): void;
}

/** The probes of one target that are under way: each settles once, by its deadline, or is cancelled. */
export class OpenProbes {
  readonly #eventLoop: EventLoop;
  readonly #open = new Set<() => void>();
  #isClosed = false;

  constructor(eventLoop: EventLoop) {
    this.#eventLoop = eventLoop;
  }

  /** Starts a probe, and returns how to cancel it. What goes wrong in it is trouble of this process. */
  start(
    timeoutMs: number,
    settle: (sample: Sample) => void,
    run: (probe: OpenProbe) => Promise<void>,
  ): () => void {
    if (this.#isClosed) return () => undefined;
    const sentMs = performance.now();
    const measurement = this.#eventLoop.startMeasurement();
    const releases: (() => void)[] = [];
    let isOpen = true;
    let deadline = (): void => end(timeout);
    // After a stall the timer fires before received data is read, so that is read first.
    const timer = setTimeout(() => setImmediate(() => isOpen && deadline()).unref(), timeoutMs);
    const stop = (): void => {
      isOpen = false;
      clearTimeout(timer);
      this.#open.delete(stop);
      measurement.end();
      for (const release of releases.splice(0)) release();
    };
    // A failure may be the fault of this process if it stood still for half of the timeout.
    const end = (outcome: Outcome): void => {
      if (!isOpen) return;
      const isTainted = outcome.outcome === 'failure' && measurement.stalledMs() > timeoutMs / 2;
      stop();
      settle({ sentMs, at: Date.now(), ...outcome, ...(isTainted && { tainted: true }) });
    };
    this.#open.add(stop);
    const probe: OpenProbe = {
      measurement,
      remainingMs: () => Math.max(1, Math.round(sentMs + timeoutMs - performance.now())),
      isOpen: () => isOpen,
      onEnd(release) {
        if (isOpen) releases.push(release);
        else release();
      },
      onDeadline(action) {
        deadline = action;
      },
      reply(rttNs) {
        const tainted = measurement.isUnreliable(rttNs);
        return { outcome: 'reply', rttNs, ...(tainted && { tainted }) };
      },
      end,
    };
    run(probe).catch((error: unknown) =>
      end({ outcome: 'not-sent', reason: 'other', detail: messageOf(error) }),
    );
    return () => isOpen && stop();
  }

  /** Cancels all of them. No more are started. */
  close(): void {
    this.#isClosed = true;
    for (const stop of [...this.#open]) stop();
  }
}

/** Nanoseconds since a moment of `process.hrtime.bigint()`. */
export function elapsedNs(startedNs: bigint): number {
  return Number(process.hrtime.bigint() - startedNs);
}
