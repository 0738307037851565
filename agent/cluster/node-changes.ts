import type { Row } from '../model/row.js';
import type { RowChange, SeenChange } from '../model/row-host.js';
import type { Clock } from '../platform/clock.js';
import type { EventLog } from '../reports/event-log.js';
import { seenChangeEvent } from './change-events.js';
import { ChangesLeftOut } from './changes-left-out.js';
import { HostChanges } from './host-changes.js';
import { SeenChanges } from './seen-changes.js';

export interface NodeChangesOptions {
  readonly localName: string;
  /** When this agent started, in monotonic milliseconds. */
  readonly startedMs: number;
  readonly clock: Pick<Clock, 'nowMs' | 'wallMs' | 'after'>;
  readonly events: EventLog;
  /** Called once with each change that a host tells. */
  readonly onHostChange: ((node: string, change: string) => void) | undefined;
}

/** What changed of nodes, as their hosts tell it and as this agent saw it itself. Each change is one event. */
export class NodeChanges {
  readonly #options: NodeChangesOptions;
  readonly #reported: HostChanges;
  readonly #seen = new SeenChanges();
  readonly #leftOut: ChangesLeftOut;

  constructor(options: NodeChangesOptions) {
    this.#options = options;
    this.#reported = new HostChanges(options);
    const { clock, events } = options;
    this.#leftOut = new ChangesLeftOut({ clock, tell: (change) => events.add(change) });
  }

  /** Takes what a row tells, which was made so many milliseconds ago. */
  takeRow({ observer, version, changes = [] }: Row, bodyAgeMs: number): void {
    this.#noteVersion(observer, version, changes, bodyAgeMs);
    this.tell(observer, changes, bodyAgeMs);
  }

  /**
   * Takes the changes that the host of a node tells.
   * @param changes the newest first
   * @param bodyAgeMs how long ago they were told
   */
  tell(node: string, changes: readonly RowChange[], bodyAgeMs: number): void {
    const { clock, events, onHostChange } = this.#options;
    const nowMs = clock.nowMs();
    const times = { bodyAgeMs, nowMs, wallOffsetMs: clock.wallMs() - nowMs };
    for (const event of this.#reported.take(node, changes, times)) {
      if (!this.#leftOut.take(node)) continue;
      events.add(event);
      if (event.type === 'change') onHostChange?.(node, event.change);
    }
  }

  /** Takes a change that this agent saw itself. */
  note(node: string, change: SeenChange): void {
    const { clock, events } = this.#options;
    const wallMs = clock.wallMs();
    this.#seen.note(node, change);
    events.add(seenChangeEvent(node, change, wallMs, wallMs - clock.nowMs()));
  }

  /** What this agent saw change of a node in the last hour, the newest first. */
  seenOf(node: string): readonly SeenChange[] {
    return this.#seen.of(node, this.#options.clock.nowMs());
  }

  /** The same, by its age now. */
  agedOf(node: string): readonly RowChange[] {
    const nowMs = this.#options.clock.nowMs();
    return this.#seen.of(node, nowMs).map(({ foundMs, ...change }) => ({
      ...change,
      ageSeconds: Math.max(Math.round((nowMs - foundMs) / 1000), 0),
    }));
  }

  /** Forgets the nodes that are listed no more. */
  retain(isListed: (node: string) => boolean): void {
    this.#reported.retain(isListed, this.#options.clock.nowMs());
    this.#seen.retain(isListed);
    this.#leftOut.retain(isListed);
  }

  /** Says what of the last minute became no event. */
  stop(): void {
    this.#leftOut.stop();
  }

  /** An agent of another version may say when it started. */
  #noteVersion(
    observer: string,
    version: string,
    changes: readonly RowChange[],
    bodyAgeMs: number,
  ): void {
    const from = this.#seen.noteVersion(observer, version);
    if (from === undefined || !this.#leftOut.take(observer)) return;
    const nowMs = this.#options.clock.nowMs();
    const started = changes.find(
      ({ change, to }) => change === 'agent-restarted' && to === version,
    );
    const { ageSeconds = 0, withinSeconds = 0 } = started ?? {};
    const foundMs = nowMs - bodyAgeMs - 1000 * ageSeconds;
    const change = { change: 'agent-version', about: '', from, to: version } as const;
    this.note(observer, { ...change, withinSeconds, foundMs });
  }
}
