import { channelNumber, channels } from '../../model/channel.js';
import type { PathState } from '../../model/path-state.js';
import type { Path } from '../../model/path.js';
import type { Plan } from '../../model/plan.js';
import type { RowSweep } from '../../model/row.js';
import type { Protocol } from '../../model/sample.js';
import { maxMs } from './head.js';
import { maxAgeSeconds, maxNewerItems, maxNewerNumber, type ValueReader } from './value-reader.js';

/** The time between two steady probes of a path; absent where that protocol is not probed. */
export type Intervals = Readonly<Partial<Record<Protocol, number>>>;

/** The intervals of a plan. */
export function intervalsOf({ icmp, http }: Plan): Intervals {
  return { ...(icmp && { icmp: icmp.intervalMs }), ...(http && { http: http.intervalMs }) };
}

/** Finds on each channel the path that works and whose last answer is the oldest, and the newest answer of all paths. */
export class SweepsBuilder {
  readonly #nowMs: number;
  readonly #sentMs = channels.map(() => Infinity);
  readonly #newestMs = channels.map(() => -Infinity);

  /** @param nowMs monotonic milliseconds */
  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  add({ plane }: Path, protocol: Protocol, { state, answeredSentMs }: PathState): void {
    const channel = channelNumber(plane, protocol);
    if (answeredSentMs > (this.#newestMs[channel] ?? 0)) this.#newestMs[channel] = answeredSentMs;
    if (state !== 'reachable') return;
    if (answeredSentMs < (this.#sentMs[channel] ?? 0)) this.#sentMs[channel] = answeredSentMs;
  }

  sweeps(intervalsMs: Intervals): RowSweep[] {
    return channels.flatMap(({ plane, protocol }, channel) => {
      const intervalMs = intervalsMs[protocol];
      if (intervalMs === undefined) return [];
      const sweptSeconds = Math.max(Math.ceil((this.#nowMs - this.#sentOf(channel)) / 1000), 0);
      const newestMs = this.#newestMs[channel] ?? -Infinity;
      const unansweredSeconds = Math.max(Math.floor((this.#nowMs - newestMs) / 1000), 0);
      return [
        {
          plane,
          protocol,
          intervalMs: Math.round(intervalMs),
          ...(sweptSeconds <= maxAgeSeconds && { sweptSeconds }),
          ...(unansweredSeconds <= maxAgeSeconds && { unansweredSeconds }),
        },
      ];
    });
  }

  /** Where no path works there is no answer either. */
  #sentOf(channel: number): number {
    const sentMs = this.#sentMs[channel] ?? Infinity;
    return sentMs === Infinity ? -Infinity : sentMs;
  }
}

/** One list for each channel: its number, the interval, the seconds of the sweep or -1, and those without an answer or -1. */
export function encodeSweeps(sweeps: readonly RowSweep[]): number[][] {
  return sweeps.map(
    ({ plane, protocol, intervalMs, sweptSeconds = -1, unansweredSeconds = -1 }) => [
      channelNumber(plane, protocol),
      intervalMs,
      sweptSeconds,
      unansweredSeconds,
    ],
  );
}

/** @throws MalformedRow */
export function decodeSweeps(read: ValueReader): RowSweep[] {
  const sweeps: RowSweep[] = [];
  const used: number[] = [];
  for (let left = read.list(0, maxNewerItems); left > 0; left--) {
    const items = read.list(3, maxNewerItems);
    const index = read.whole(maxNewerNumber);
    const intervalMs = read.whole(maxMs);
    const sweptSeconds = read.wholeOrNone(maxAgeSeconds);
    const unansweredSeconds = items > 3 ? read.wholeOrNone(maxAgeSeconds) : -1;
    read.skip(Math.max(items - 4, 0));
    used.push(index);
    const channel = channels[index];
    if (!channel) continue;
    sweeps.push({
      ...channel,
      intervalMs,
      ...(sweptSeconds >= 0 && { sweptSeconds }),
      ...(unansweredSeconds >= 0 && { unansweredSeconds }),
    });
  }
  read.mustBeUnique(used);
  return sweeps;
}

/** Whether they tell a reader the same: when the paths were answered last is no change. */
export function areSameSweeps(
  before: readonly RowSweep[] = [],
  after: readonly RowSweep[] = [],
): boolean {
  const intervals = (sweeps: readonly RowSweep[]) =>
    JSON.stringify(encodeSweeps(sweeps).map(([channel, intervalMs]) => [channel, intervalMs]));
  return intervals(before) === intervals(after);
}
