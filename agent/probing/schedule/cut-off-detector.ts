import { channelNumber } from '../../model/channel.js';
import type { PathState } from '../../model/path-state.js';
import type { Path, Plane } from '../../model/path.js';
import type { Protocol, Sample } from '../../model/sample.js';
import type { Clock } from '../../platform/clock.js';

export interface CutOffOptions {
  readonly clock: Clock;
  readonly expected: ExpectedPaths;
}

/** The paths to other nodes of which an answer is expected: the agent answers itself however much is cut off. */
export interface ExpectedPaths {
  has(path: Path): boolean;
  /** To how many nodes there are some. */
  readonly nodes: number;
  /** How many there are on a plane. */
  count(plane: Plane): number;
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
  /** By node, the path that failed first. */
  readonly failed: Map<string, Path>;
  answeredMs: number;
}

/** The paths to other nodes by one plane and protocol. */
interface Channel extends Silence {
  readonly unreachable: Set<Path>;
}

/** It takes that many nodes that fail one after the other, or all where there are fewer. */
const minFailed = 3;

/** In this time no node answered. Where many nodes are probed, a dead rack is no silence. */
const minSilentMs = 1000;

/** Where most nodes stay dead, one of them that comes and goes starts no more than that. */
const minGapMs = 30_000;

/**
 * Tells when this agent was cut off and is back: paths to three nodes failed one after the other,
 * none answered for a second, and now one answers. Each plane and protocol counts for itself, and
 * all of them together. Nodes that failed already do not count, so dead nodes alone are no cut.
 *
 * An agent that was cut off together with some neighbours hears these all the time. It is back when
 * an unreachable path answers by a plane and protocol of which most paths are unreachable.
 */
export class CutOffDetector {
  readonly #options: CutOffOptions;
  readonly #all: Silence;
  /** By the channel's number. */
  readonly #channels: Channel[] = [];
  /** When an unreachable one of most paths answered last, and that counted. */
  #mostMs = -Infinity;

  constructor(options: CutOffOptions) {
    this.#options = options;
    this.#all = this.#newSilence();
  }

  /** Takes that other answers are expected. */
  update(): void {
    const { expected } = this.#options;
    const forget = ({ failed }: Silence): void => {
      for (const [node, path] of failed) if (!expected.has(path)) failed.delete(node);
    };
    forget(this.#all);
    this.#channels.forEach((channel) => {
      forget(channel);
      for (const path of channel.unreachable)
        if (!expected.has(path)) channel.unreachable.delete(path);
    });
  }

  /** Takes a probe's result. Returns true if it is the first answer after the agent was cut off. */
  isBack({ path, outcome, before, after }: ProbeResult, protocol: Protocol): boolean {
    const { expected } = this.#options;
    if (!expected.has(path)) return false;
    const number = channelNumber(path.plane, protocol);
    const channel = (this.#channels[number] ??= { ...this.#newSilence(), unreachable: new Set() });
    const { unreachable } = channel;
    const wasMost = unreachable.has(path) && 2 * unreachable.size > expected.count(path.plane);
    if (after?.state === 'unreachable') unreachable.add(path);
    else unreachable.delete(path);
    if (outcome === 'reply') {
      const nowMs = this.#options.clock.nowMs();
      const allEnded = this.#hasEnded(this.#all, nowMs);
      const hasEnded = this.#hasEnded(channel, nowMs) || allEnded;
      if (!wasMost || nowMs - this.#mostMs < minGapMs) return hasEnded;
      this.#mostMs = nowMs;
      return true;
    }
    if (isFailing(after) && !isFailing(before)) {
      this.#all.failed.set(path.node, path);
      channel.failed.set(path.node, path);
    }
    return false;
  }

  #hasEnded(silence: Silence, nowMs: number): boolean {
    const wasCutOff =
      silence.failed.size >= Math.min(minFailed, this.#options.expected.nodes) &&
      silence.failed.size > 0 &&
      nowMs - silence.answeredMs >= minSilentMs;
    silence.answeredMs = nowMs;
    if (silence.failed.size > 0) silence.failed.clear();
    return wasCutOff;
  }

  #newSilence(): Silence {
    return { failed: new Map(), answeredMs: this.#options.clock.nowMs() };
  }
}

/** Whether a path is unreachable, or its last probe failed. */
export function isFailing(state: PathState | undefined): boolean {
  return state !== undefined && (state.state === 'unreachable' || state.failures > 0);
}
