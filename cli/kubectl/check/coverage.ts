import type { AgentPart } from '../../../api/schema/v1/check.js';
import type { Plane, Protocol } from '../../../api/schema/v1/fields.js';
import { channelText } from '../../../api/schema/v1/matrix-cells.js';
import { countText } from '../../view/age-text.js';

/** What one agent has probed, and what it has not. */
export interface Coverage {
  readonly done: number;
  readonly of: number;
  /** What is missing, in words; empty: nothing. */
  readonly missing: readonly string[];
}

const planes: readonly Plane[] = ['host', 'endpoint'];
const protocols: readonly Protocol[] = ['icmp', 'http'];

/**
 * Counts what one agent has probed: each path on each channel, each path that is reachable with large packets,
 * each target from both planes.
 * @param agents how many agents there are
 * @param endpoints how many endpoints there are
 */
export function coverageOf(
  { summary, targets }: AgentPart,
  agents: number,
  endpoints: number,
): Coverage {
  const missing: string[] = [];
  let [done, of] = [0, 0];
  const count = (known: number, all: number, what: string): void => {
    done += known;
    of += all;
    if (known < all) missing.push(`${all - known} of ${what}`);
  };
  const listed = summary.nodes.active;
  for (const plane of planes) {
    for (const protocol of protocols) {
      const { reachable, unreachable, unknown } = summary.paths[plane][protocol] ?? noCounts;
      const known = reachable + unreachable;
      // An endpoint that the agent has not heard of is no path yet.
      const all = Math.max(
        known + unknown,
        Math.min(plane === 'host' ? agents : endpoints, listed),
      );
      count(known, all, `${countText(all, 'path')} by ${channelText({ plane, protocol })}`);
    }
    const large = summary.paths[plane].large;
    if (!large) continue;
    const tested = large.ok + large.lost;
    const all = tested + large.unknown;
    count(tested, all, `${countText(all, 'path')} with large packets on the ${plane} plane`);
  }
  for (const { name, planes: sides } of targets.targets) {
    for (const plane of planes) {
      const side = sides[plane];
      if (!side) continue;
      const why = side.reason === undefined ? '' : ` (${side.reason})`;
      count(side.state === 'unknown' ? 0 : 1, 1, `1 look at ${name} from the ${plane} plane${why}`);
    }
  }
  if (listed === 0) missing.push('the node list');
  return { done, of, missing };
}

const noCounts = { reachable: 0, unreachable: 0, unknown: 0 };
