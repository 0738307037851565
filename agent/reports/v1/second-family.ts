import { channels } from '../../model/channel.js';
import { isActive, type ClusterState } from './cluster-state.js';

/**
 * Says on which plane most further addresses of another family than the first do not answer this agent; undefined if
 * they do. Rows and findings tell of first addresses alone, so a second family of a dual-stack cluster has nobody else.
 */
export function whySecondFamily({ snapshot, localName }: ClusterState): string | undefined {
  const counts = new Map<string, { failing: number; of: number }>();
  for (const view of snapshot.nodes) {
    if (view.name === localName || !isActive(view)) continue;
    for (const { plane, protocol } of channels) {
      const [first, ...others] = view[plane];
      if (!first) continue;
      for (const path of others) {
        const { state } = path[protocol].state;
        if (isIPv6(path.ip) === isIPv6(first.ip) || state === 'unknown') continue;
        const family = isIPv6(path.ip) ? 'IPv6' : 'IPv4';
        const key = `second ${family} addresses on the ${plane} plane do not answer by ${protocol.toUpperCase()}`;
        const count = counts.get(key) ?? { failing: 0, of: 0 };
        counts.set(key, count);
        count.of++;
        if (state === 'unreachable') count.failing++;
      }
    }
  }
  for (const [words, { failing, of }] of counts) {
    if (2 * failing > of) return `${failing} of ${of} ${words}`;
  }
  return undefined;
}

/** The addresses of a node list were read and written anew, so a colon is enough. */
function isIPv6(ip: string): boolean {
  return ip.includes(':');
}
