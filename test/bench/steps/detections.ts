import type { Protocol } from '../../../agent/model/sample.js';
import type { PathView } from '../environment/status.js';

/** What can be said of a node all of whose paths were cut, or mended again. */
export type Verdict = (typeof verdicts)[number];

/**
 * `any`: one path by one protocol. `planes`: each of its planes, by whichever protocol, which is
 * what `status --succinct` goes by. `icmp`, `http`: each path by that protocol. `all`: by both.
 */
export const verdicts = ['any', 'planes', 'icmp', 'http', 'all'] as const;

/** A state without a moment that can be read began no earlier than it was seen. */
const unknownMoment = Number.MAX_SAFE_INTEGER;

/**
 * Since when the agent says so of a node with these paths, in epoch milliseconds and by its own
 * account; Infinity where it does not, as of a node without any path.
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
 * When the API first said so: the agent's own account, but no earlier than an answer that did not
 * say so was asked for, and no later than the one that did came in.
 */
export function firstSaid(since: number, notYetAt: number, saidAt: number): number {
  return Math.min(Math.max(since, notYetAt), saidAt);
}
