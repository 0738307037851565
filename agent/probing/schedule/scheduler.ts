import type { Path } from '../../model/path.js';
import type { Lane } from './protocol-scheduler.js';
import type { LanePlan } from './plan.js';
import type { LaneVitals } from './scheduler-stats.js';
import { protocols, type Protocol } from '../../model/sample.js';

/** How the lane of a protocol is doing. */
export type ProtocolVitals = { readonly protocol: Protocol } & LaneVitals;

/** The lanes of all protocols, driven together: what one suspects of a path, the others look at. */
export class Scheduler {
  readonly #lanes: Readonly<Partial<Record<Protocol, Lane>>>;
  readonly #stopping = new AbortController();
  #sweep: Promise<void> | undefined;

  constructor(lanes: Readonly<Partial<Record<Protocol, Lane>>>) {
    this.#lanes = lanes;
    for (const lane of Object.values(lanes)) {
      const others = Object.values(lanes).filter((other) => other !== lane);
      lane.onSuspicion = (path, of) => {
        for (const other of others) other.check(path, of);
      };
    }
  }

  /** How each protocol is probed now. */
  plan(): Partial<Record<Protocol, LanePlan>> {
    return Object.fromEntries(
      Object.entries(this.#lanes).map(([protocol, lane]) => [protocol, lane.plan()]),
    );
  }

  /** Paths that came are probed at once, paths that went no more. */
  change(changes: { readonly added: readonly Path[]; readonly removed: readonly Path[] }): void {
    for (const lane of Object.values(this.#lanes)) {
      lane.remove(changes.removed);
      lane.add(changes.added);
    }
  }

  /**
   * Probes every path with every protocol now; a sweep under way is shared.
   * @throws Error where the scheduler stops meanwhile
   */
  sweep(): Promise<void> {
    this.#sweep ??= this.#sweepOnce().finally(() => (this.#sweep = undefined));
    return this.#sweep;
  }

  /** How each lane is doing, whatever its peers do. */
  vitals(): ProtocolVitals[] {
    return protocols.flatMap((protocol) => {
      const lane = this.#lanes[protocol];
      return lane ? [{ protocol, ...lane.vitals() }] : [];
    });
  }

  /** No sample is late for a time in which the whole process stood still. */
  forgive(ms: number): void {
    for (const lane of Object.values(this.#lanes)) lane.pulse.forgive(ms);
  }

  stop(): void {
    this.#stopping.abort();
    for (const lane of Object.values(this.#lanes)) lane.stop();
  }

  async #sweepOnce(): Promise<void> {
    const { signal } = this.#stopping;
    let refuse = (): void => undefined;
    const stopped = new Promise<never>((_, reject) => {
      refuse = (): void => reject(new Error('the agent is stopping'));
      if (signal.aborted) refuse();
      signal.addEventListener('abort', refuse, { once: true });
    });
    try {
      await Promise.race([
        Promise.all(Object.values(this.#lanes).map((lane) => lane.sweep())),
        stopped,
      ]);
    } finally {
      signal.removeEventListener('abort', refuse);
    }
  }
}
