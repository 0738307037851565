import { channels, perChannel, type Channel } from '../../agent/model/channel.js';
import type { ObservedRow, Row, RowCounts, RowPath } from '../../agent/model/row.js';

type Counts = { -readonly [Key in keyof RowCounts]: number };

/**
 * The row of an agent that is well: it tells of these paths, none to the nodes that it omits answers, and all its
 * other paths are reachable.
 * @param all how many paths there are of a channel
 */
export function makeRow(
  observer: string,
  paths: readonly RowPath[],
  all: number | ((channel: Channel) => number),
  more: Partial<Row> = {},
): Row {
  const { omittedNodes: unreachable = 0 } = more;
  const counts = perChannel((channel): Counts => {
    const reachable = (typeof all === 'number' ? all : all(channel)) - unreachable;
    return { reachable, unreachable, unknown: 0, degraded: 0 };
  });
  for (const { plane, protocol, state } of paths) {
    const count = counts[plane][protocol];
    if (state === 'lossy' || state === 'slow') count.degraded++;
    else {
      count[state]++;
      count.reachable--;
    }
  }
  return {
    observer,
    version: '0.2.0',
    httpIntervalMs: 5000,
    httpTimeoutMs: 1000,
    health: { ready: true, starved: false, notSending: [] },
    counts,
    paths,
    omittedNodes: 0,
    zones: [],
    ...more,
  };
}

/** What a row says of a path that is not well. */
export type PathTold = Omit<RowPath, 'node' | 'plane' | 'protocol'>;

/** What a row says of the paths to a node; nothing of those that are well. */
export function pathsTo(
  node: string,
  told: (channel: Channel, number: number) => PathTold | undefined,
): RowPath[] {
  const paths: RowPath[] = [];
  for (const [number, channel] of channels.entries()) {
    const said = told(channel, number);
    if (said) paths.push({ node, ...channel, ...said });
  }
  return paths;
}

/** A fresh row that was written so many milliseconds ago. */
export function freshRow(row: Row, ageMs = 0): ObservedRow {
  return { row, ageMs, bodyAgeMs: ageMs, freshness: 'fresh' };
}
