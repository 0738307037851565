import { channelNumber } from '../../model/channel.js';
import type { PathState } from '../../model/path-state.js';
import type { Path } from '../../model/path.js';
import type { Protocol, Sample } from '../../model/sample.js';
import type { Clock } from '../../platform/clock.js';

export interface CutOffOptions {
  readonly clock: Clock;
  /** The agent's own node: it answers itself however much is cut off. */
  readonly localName: string;
}

/** One probe, and the state of its path before and after it. */
export interface ProbeResult {
  readonly path: Path;
  readonly outcome: Sample['outcome'];
  readonly before: PathState | undefined;
  readonly after: PathState | undefined;
}

/** What nodes failed since the last answer, and when that was. */
interface Silence {
  readonly failed: Set<string>;
  answeredMs: number;
}

/** It takes that many nodes that fail one after the other, or all where there are fewer. */
const minFailed = 3;

/** In this time no node answered. Where many nodes are probed, a dead rack is no silence. */
const minSilentMs = 1000;

/**
 * Tells when this agent was cut off and is back: paths to three nodes failed one after the other,
 * none answered for a second, and now one answers. Each plane and protocol counts for itself, and
 * all of them together. Nodes that failed already do not count, so dead nodes alone are no cut.
 */
export class CutOffDetector {
  readonly #options: CutOffOptions;
  /** How many paths each other node has. */
  readonly #paths = new Map<string, number>();
  readonly #all: Silence;
  /** By the channel's number. */
  readonly #channels: Silence[] = [];

  constructor(options: CutOffOptions) {
    this.#options = options;
    this.#all = this.#newSilence();
  }

  add(paths: readonly Path[]): void {
    for (const { node } of paths) this.#paths.set(node, (this.#paths.get(node) ?? 0) + 1);
  }

  remove(paths: readonly Path[]): void {
    for (const { node } of paths) {
      const left = (this.#paths.get(node) ?? 0) - 1;
      if (left > 0) this.#paths.set(node, left);
      else {
        this.#paths.delete(node);
        this.#all.failed.delete(node);
        this.#channels.forEach(({ failed }) => failed.delete(node));
      }
    }
  }

  /** Takes a probe's result. Returns true if it is the first answer after the agent was cut off. */
  isBack({ path, outcome, before, after }: ProbeResult, protocol: Protocol): boolean {
    if (path.node === this.#options.localName) return false;
    const number = channelNumber(path.plane, protocol);
    const channel = (this.#channels[number] ??= this.#newSilence());
    if (outcome === 'reply') {
      const nowMs = this.#options.clock.nowMs();
      const allEnded = this.#hasEnded(this.#all, nowMs);
      return this.#hasEnded(channel, nowMs) || allEnded;
    }
    if (isFailing(after) && !isFailing(before)) {
      this.#all.failed.add(path.node);
      channel.failed.add(path.node);
    }
    return false;
  }

  #hasEnded(silence: Silence, nowMs: number): boolean {
    const { localName } = this.#options;
    const others = this.#paths.size - (this.#paths.has(localName) ? 1 : 0);
    const wasCutOff =
      silence.failed.size >= Math.min(minFailed, others) &&
      silence.failed.size > 0 &&
      nowMs - silence.answeredMs >= minSilentMs;
    silence.answeredMs = nowMs;
    if (silence.failed.size > 0) silence.failed.clear();
    return wasCutOff;
  }

  #newSilence(): Silence {
    return { failed: new Set(), answeredMs: this.#options.clock.nowMs() };
  }
}

/** Whether a path is unreachable, or its last probe failed. */
export function isFailing(state: PathState | undefined): boolean {
  return state !== undefined && (state.state === 'unreachable' || state.failures > 0);
}
