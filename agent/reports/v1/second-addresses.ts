import { familyNames, familyOf, type AddressFamily } from '../../model/address.js';
import { channels } from '../../model/channel.js';
import { planes } from '../../model/path.js';
import { protocols } from '../../model/sample.js';
import type { NodeView } from '../../results/snapshot.js';
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
        if (!isMeant(path.ip, primary?.ip, state)) continue;
        const family = familyOf(path.ip);
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

/** The further addresses of another node that do not answer this agent, of those that are meant to answer. */
export function unreachableAddresses(view: NodeView, state: State): string[] {
  if (view.name === state.localName) return [];
  return planes.flatMap((plane) => {
    const [primary, ...others] = view[plane];
    const fails = (path: NodeView['host'][number]): boolean =>
      protocols.some((protocol) => path[protocol].state.state === 'unreachable');
    return others
      .filter((path) => isMeant(path.ip, primary?.ip, state) && fails(path))
      .map(({ ip }) => ip);
  });
}

/** One of the family of the first address may be for the outside alone, where the node source lists such ones too. */
function isMeant(ip: string, primaryIp: string | undefined, state: State): boolean {
  if (state.everyAddressIsMeant || primaryIp === undefined) return true;
  return familyOf(ip) !== familyOf(primaryIp);
}
