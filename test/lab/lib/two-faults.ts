import type { Random } from '../../fuzz/random.js';
import * as kinds from './fault-kinds.js';
import type { LabFault } from './fault-kinds.js';
import type { Host } from './plan.js';

const hostKinds: readonly ((name: string) => LabFault)[] = [
  kinds.unplugged,
  kinds.sendingDropped,
  kinds.requestsDropped,
  kinds.nodeIpCut,
  kinds.overlayCut,
  kinds.agentFrozen,
  kinds.endpointFrozen,
  kinds.echoesDropped,
  kinds.probePortDropped,
];

/** The faults of one round. */
export type TwoFaults = readonly [LabFault, LabFault];

/**
 * Chooses two faults at once, of different hosts. The same random numbers give the same faults. At
 * most one of them cuts zones, and it hides no pair from the hosts of a whole zone.
 * @param hosts the hosts of the lab, in three zones
 */
export function chooseTwoFaults(
  hosts: readonly Pick<Host, 'name' | 'zone'>[],
  random: Random,
): TwoFaults {
  const left = [...hosts];
  const zones = [...new Set(hosts.map(({ zone }) => zone ?? ''))];
  const takeHost = (isFit: (host: Pick<Host, 'zone'>) => boolean = () => true): string => {
    const host = random.pick(left.filter(isFit));
    left.splice(left.indexOf(host), 1);
    return host.name;
  };
  // The pair and the zones are as likely as each kind of a host.
  const [first, second] = [random.below(hostKinds.length + 2), random.below(hostKinds.length + 2)];
  const [pair, zonesCut] = [hostKinds.length, hostKinds.length + 1];
  const whole = random.pick(zones);
  const cut = zones.filter((zone) => zone !== whole);
  const make = (kind: number, beside: number): LabFault => {
    if (kind === zonesCut) return kinds.zonesCut(cut[0] ?? '', cut[1] ?? '');
    if (kind !== pair) return (hostKinds[kind] ?? kinds.unplugged)(takeHost());
    const isSeen = beside === zonesCut ? takeHost(({ zone }) => zone === whole) : takeHost();
    return kinds.packetsDropped(isSeen, takeHost());
  };
  // Two cuts between three zones would be one zone that is cut off.
  const other = first === zonesCut && second === zonesCut ? random.below(zonesCut) : second;
  return [make(first, other), make(other, first)];
}
