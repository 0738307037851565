import type { Protocol } from '../../../agent/model/sample.js';
import type { PathView } from '../environment/status.js';

/** A statement about a node whose paths were all cut, or all mended again. */
export type Verdict = (typeof verdicts)[number];

/**
 * `any`: one path by one protocol. `planes`: each plane by one of the protocols, as in `status
 * --succinct`. `icmp`, `http`: each path by that protocol. `all`: each path by both.
 */
export const verdicts = ['any', 'planes', 'icmp', 'http', 'all'] as const;

/** If the start of a state cannot be read, the state counts from when it was seen. */
const unknownMoment = Number.MAX_SAFE_INTEGER;

/**
 * The time since when the statement holds by the agent's own account, in epoch milliseconds. It is
 * Infinity if the statement does not hold, or the node has no paths.
 */
export function heldSince(
  verdict: Verdict,
  paths: readonly PathView[],
  wanted: 'reachable' | 'unreachable',
): number {
  if (paths.length === 0) return Infinity;
  const since =
    (protocol: Protocol) =>
    ({ state, protocols }: PathView): number => {
      if (state(protocol) !== wanted) return Infinity;
      return Date.parse(protocols[protocol]?.since ?? '') || unknownMoment;
    };
  const [icmp, http] = [paths.map(since('icmp')), paths.map(since('http'))];
  switch (verdict) {
    case 'any':
      return Math.min(...icmp, ...http);
    case 'planes':
      return Math.max(...icmp.map((moment, path) => Math.min(moment, http[path] ?? Infinity)));
    case 'icmp':
      return Math.max(...icmp);
    case 'http':
      return Math.max(...http);
    case 'all':
      return Math.max(...icmp, ...http);
  }
}

/**
 * The time when the API first made the statement. It is the agent's own time, limited by two
 * answers. The lower limit is the request of the last answer without the statement. The upper limit
 * is the arrival of the first answer with it.
 */
export function firstSaid(since: number, notYetAt: number, saidAt: number): number {
  return Math.min(Math.max(since, notYetAt), saidAt);
}
