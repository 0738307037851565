import { familyNames, familyOf, type AddressFamily } from '../../model/address.js';
import { channels } from '../../model/channel.js';
import { isActive, type ClusterState } from './cluster-state.js';

type State = Pick<ClusterState, 'snapshot' | 'localName' | 'everyAddressIsMeant'>;

/** The second addresses of one family, as they answer by one channel. */
interface Count {
  of: number;
  unreachable: number;
  /** The first of them that does not answer. */
  first: string;
}

/**
 * Says on which plane second addresses of other active nodes do not answer this agent; undefined if all do. Those of the family
 * of the first address count where every listed address is meant to answer. A finding tells of another family that fails
 * for most agents, so few that fail have nobody else.
 */
export function whySecondAddresses(state: State): string | undefined {
  const views = state.snapshot.nodes.filter(
    (view) => view.name !== state.localName && isActive(view),
  );
  for (const { plane, protocol } of channels) {
    const counts = new Map<AddressFamily, Count>();
    for (const { name, [plane]: paths } of views) {
      const [primary, ...others] = paths;
      for (const path of others) {
        const family = familyOf(path.ip);
        if (!state.everyAddressIsMeant && primary && family === familyOf(primary.ip)) continue;
        const reachability = path[protocol].state.state;
        if (reachability === 'unknown') continue;
        const count = counts.get(family) ?? { of: 0, unreachable: 0, first: '' };
        counts.set(family, count);
        count.of++;
        if (reachability === 'unreachable' && count.unreachable++ === 0) {
          count.first = `${path.ip} of ${name}`;
        }
      }
    }
    for (const [family, { of, unreachable, first }] of counts) {
      if (unreachable === 0) continue;
      const fail = unreachable === 1 ? 'does not answer' : 'do not answer';
      const more = unreachable === 1 ? '' : ` and ${unreachable - 1} more`;
      return `${unreachable} of ${of} second ${familyNames[family]} ${of === 1 ? 'address' : 'addresses'} on the ${plane} plane ${fail} by ${protocol.toUpperCase()} (${first}${more})`;
    }
  }
  return undefined;
}
