import type { Family } from './plan.js';

/** The spines between the two leaves: as many equal paths. */
export const spines = [1, 2, 3, 4] as const;
export type Spine = (typeof spines)[number];
export const leaves = [1, 2] as const;
export type Leaf = (typeof leaves)[number];

const hostNames = ['h1', 'h2', 'h3', 'h4'] as const;
export type FabricHost = (typeof hostNames)[number];

export interface FabricOptions {
  readonly family: Family;
  /** Behind each leaf. Two are a zone: `zone-a` behind the first leaf, `zone-b` behind the second. */
  readonly hostsPerLeaf?: 1 | 2;
  /** Each host has an endpoint of its own in a VXLAN overlay, whose interfaces have this MTU. */
  readonly overlayMtu?: number;
  /** All agents and endpoints probe one target, so that each agent asks its own endpoint what that sees. */
  readonly hasTarget?: boolean;
}

export interface PlannedHost {
  readonly name: FabricHost;
  readonly leaf: Leaf;
  readonly address: string;
  readonly zone: string | undefined;
  /** How its agent sends ICMP: on an unprivileged socket, or on a raw one. */
  readonly pingGroups: string;
  /** Its own address in the overlay, and that of its endpoint. */
  readonly overlay: { readonly host: string; readonly endpoint: string };
}

/** The addresses of a fabric, before anything is built. */
export interface FabricPlan {
  readonly family: Family;
  readonly bits: number;
  readonly overlayBits: number;
  readonly overlayMtu: number | undefined;
  readonly hasTarget: boolean;
  readonly hosts: readonly PlannedHost[];
  readonly leaf: (leaf: Leaf) => string;
  readonly network: (leaf: Leaf) => string;
  /** The two ends of the link between a leaf and a spine. */
  readonly link: (leaf: Leaf, spine: Spine) => { readonly leaf: string; readonly spine: string };
}

type Addresses = Pick<FabricPlan, 'bits' | 'overlayBits' | 'leaf' | 'network' | 'link'> & {
  /** The n-th address behind a leaf. */
  readonly behind: (leaf: Leaf, n: number) => string;
  /** The n-th address of a host in the overlay. */
  readonly overlay: (host: number, n: number) => string;
};

const addressesOf: Readonly<Record<Family, Addresses>> = {
  4: {
    bits: 24,
    overlayBits: 16,
    leaf: (leaf) => `10.1.${leaf}.1`,
    behind: (leaf, n) => `10.1.${leaf}.${n + 1}`,
    network: (leaf) => `10.1.${leaf}.0/24`,
    link: (leaf, spine) => ({
      leaf: `10.${leaf + 1}.${spine}.1`,
      spine: `10.${leaf + 1}.${spine}.2`,
    }),
    overlay: (host, n) => `10.244.${host}.${n}`,
  },
  6: {
    bits: 64,
    overlayBits: 64,
    leaf: (leaf) => `fd00:1:${leaf}::1`,
    behind: (leaf, n) => `fd00:1:${leaf}::${n + 1}`,
    network: (leaf) => `fd00:1:${leaf}::/64`,
    link: (leaf, spine) => ({
      leaf: `fd00:${leaf + 1}:${spine}::1`,
      spine: `fd00:${leaf + 1}:${spine}::2`,
    }),
    overlay: (host, n) => `fd00:10:244::${host}:${n}`,
  },
};

export function planFabric({
  family,
  hostsPerLeaf = 1,
  overlayMtu,
  hasTarget = false,
}: FabricOptions): FabricPlan {
  const addresses = addressesOf[family];
  const hosts = hostNames.slice(0, leaves.length * hostsPerLeaf).map((name, index): PlannedHost => {
    const leaf: Leaf = index < hostsPerLeaf ? 1 : 2;
    return {
      name,
      leaf,
      address: addresses.behind(leaf, (index % hostsPerLeaf) + 1),
      zone: hostsPerLeaf === 1 ? undefined : leaf === 1 ? 'zone-a' : 'zone-b',
      pingGroups: index % 2 === 0 ? '0 2147483647' : '1 0',
      overlay: {
        host: addresses.overlay(index + 1, 1),
        endpoint: addresses.overlay(index + 1, 2),
      },
    };
  });
  return { family, ...addresses, overlayMtu, hasTarget, hosts };
}
