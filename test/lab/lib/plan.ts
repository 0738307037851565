export type Family = 4 | 6;

/** One host of a lab: its namespaces and its addresses. */
export interface Host {
  /** The name, such as `n1`. It is also the name of its port on the underlay bridge. */
  readonly name: string;
  readonly namespace: string;
  readonly nodeIp: string;
  readonly nodeMac: string;
  /** The host's own address in the overlay. The host probes endpoints from it. */
  readonly overlayIp: string;
  readonly overlayMac: string;
  readonly endpointNamespace: string;
  readonly endpointIp: string;
  readonly endpointMac: string;
  /** The zone in the nodes file; undefined if the lab has no zones. */
  readonly zone: string | undefined;
  /** Its labels in the nodes file; undefined if the lab has none. */
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** How its agent sends ICMP. Each way is used by some hosts. */
  readonly icmp: (typeof icmpWays)[number];
}

/** A whole lab, described before anything is built. */
export interface Plan {
  readonly family: Family;
  readonly underlayNamespace: string;
  /**
   * The underlay's own address, which every host can reach. Servers that are no host of the cluster
   * use it.
   */
  readonly underlayIp: string;
  readonly hosts: readonly Host[];
  readonly nodePrefixBits: number;
  readonly overlayPrefixBits: number;
}

/**
 * The kernel engine on an unprivileged socket, the kernel engine on a raw socket, and net-ping.
 */
const icmpWays = ['kernel-datagram', 'kernel-raw', 'net-ping'] as const;

export const clusterName = 'lab';
export const probePort = 4240;

const maxHosts = 200;

/**
 * Plans the names and addresses of a lab. The names of all namespaces start with `prefix`. The
 * hosts are assigned to the zones in turn.
 * @param labelsOf the labels of a host, by its number from 1
 * @throws RangeError if there are more hosts than addresses
 */
export function planLab(
  prefix: string,
  hostCount: number,
  family: Family,
  zones: readonly string[] = [],
  labelsOf?: (number: number) => Readonly<Record<string, string>>,
): Plan {
  if (!(Number.isInteger(hostCount) && hostCount >= 1 && hostCount <= maxHosts)) {
    throw new RangeError(`hosts: expected 1 to ${maxHosts}, got ${hostCount}`);
  }
  const addresses = family === 4 ? addresses4 : addresses6;
  const hosts = Array.from({ length: hostCount }, (_, index): Host => {
    const name = `n${index + 1}`;
    return {
      name,
      namespace: `${prefix}-${name}`,
      endpointNamespace: `${prefix}-${name}e`,
      icmp: icmpWays[index % icmpWays.length] ?? 'net-ping',
      nodeMac: mac(1, index + 1),
      overlayMac: mac(2, index + 1),
      endpointMac: mac(3, index + 1),
      zone: zones[index % zones.length],
      labels: labelsOf?.(index + 1),
      ...addresses(index + 1),
    };
  });
  return {
    family,
    underlayNamespace: `${prefix}-u`,
    underlayIp: family === 4 ? '198.51.100.254' : '2001:db8:51:100::ffff',
    hosts,
    nodePrefixBits: family === 4 ? 24 : 64,
    overlayPrefixBits: family === 4 ? 16 : 64,
  };
}

/** A locally administered address (IEEE 802, second bit of the first byte). */
function mac(network: number, n: number): string {
  return `02:00:00:00:0${network}:${n.toString(16).padStart(2, '0')}`;
}

type Addresses = Pick<Host, 'nodeIp' | 'overlayIp' | 'endpointIp'>;

function addresses4(n: number): Addresses {
  return {
    nodeIp: `198.51.100.${n}`,
    overlayIp: `10.244.${n}.1`,
    endpointIp: `10.244.${n}.2`,
  };
}

function addresses6(n: number): Addresses {
  const hex = n.toString(16);
  return {
    nodeIp: `2001:db8:51:100::${hex}`,
    overlayIp: `fd00:10:244::${hex}:1`,
    endpointIp: `fd00:10:244::${hex}:2`,
  };
}
