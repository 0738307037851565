import type { History, HistorySample } from '../../schema/history.js';

/** One line of the chart: a path by one protocol. */
export interface RttSeries {
  readonly label: string;
  readonly plane: 'host' | 'endpoint';
  readonly isSecondary: boolean;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  /** Nanoseconds; null if the sample has no round trip. */
  readonly rtts: readonly (number | null)[];
  /** When probes failed, and how. */
  readonly losses: readonly { readonly time: number; readonly failure: string }[];
  /**
   * Times at which the agent was kept from running. These samples say nothing about the network.
   */
  readonly tainted: readonly number[];
}

/** Returns one line for each path of a node, by one protocol. */
export function rttSeriesOf(history: History, protocol: 'icmp' | 'http'): RttSeries[] {
  const seen = new Set<string>();
  return history.paths.flatMap((path) => {
    const isSecondary = seen.has(path.plane);
    seen.add(path.plane);
    const samples = path[protocol]?.samples ?? [];
    if (samples.length === 0) return [];
    return [
      { label: `${path.plane} ${path.ip}`, plane: path.plane, isSecondary, ...linesOf(samples) },
    ];
  });
}

function linesOf(samples: readonly HistorySample[]) {
  const known = samples
    .map((sample) => ({ ...sample, time: Date.parse(sample.at) / 1000 }))
    .filter(({ time }) => !Number.isNaN(time))
    .sort((a, b) => a.time - b.time);
  return {
    times: known.map(({ time }) => time),
    rtts: known.map(({ rtt, tainted }) => (tainted === true ? null : (rtt ?? null))),
    losses: known.flatMap(({ time, failure }) =>
      failure === undefined ? [] : [{ time, failure }],
    ),
    tainted: known.flatMap(({ time, tainted }) => (tainted === true ? [time] : [])),
  };
}
