import type { Protocol } from '../../../agent/probing/sample.js';
import type { PathView } from '../ground/status.js';

/** What can be said of a node all of whose paths were cut, or mended again. */
export type Verdict = (typeof verdicts)[number];

/**
 * `any`: one path by one protocol. `planes`: each of its planes, by whichever protocol, which is
 * what `status --succinct` goes by. `icmp`, `http`: each path by that protocol. `all`: by both.
 */
export const verdicts = ['any', 'planes', 'icmp', 'http', 'all'] as const;

/** Whether the agent says so of a node with these paths; a node without any is nowhere. */
export function holds(
  verdict: Verdict,
  paths: readonly PathView[],
  wanted: 'reachable' | 'unreachable',
): boolean {
  const is = (protocol: Protocol) => (path: PathView) => path.state(protocol) === wanted;
  const [icmp, http] = [is('icmp'), is('http')];
  const either = (path: PathView): boolean => icmp(path) || http(path);
  switch (verdict) {
    case 'any':
      return paths.some(either);
    case 'planes':
      return paths.length > 0 && paths.every(either);
    case 'icmp':
      return paths.length > 0 && paths.every(icmp);
    case 'http':
      return paths.length > 0 && paths.every(http);
    case 'all':
      return paths.length > 0 && paths.every((path) => icmp(path) && http(path));
  }
}
