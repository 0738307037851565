import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type Client } from '../../../api/client/client.js';
import { ip, run, runIn } from './command.js';
import {
  labFolder,
  labPrefix,
  listNamespaces,
  removeLeftovers,
  removeNamespaces,
} from './leftovers.js';
import { clusterName, probePort, type Family } from './plan.js';
import { startNode, type LabProcess } from './process.js';

const program = join(import.meta.dirname, '../../../dist/agent/main.js');

/** The spines between the two leaves: as many equal paths. */
export const spines = [1, 2, 3, 4] as const;
export type Spine = (typeof spines)[number];

/** How the agent of each host sends ICMP: on an unprivileged socket, and on a raw one. */
const pingGroups = { h1: '0 2147483647', h2: '1 0' } as const;
export type FabricHost = keyof typeof pingGroups;
const hostNames = ['h1', 'h2'] as const;

/**
 * Two hosts, each behind a leaf of its own, and four spines between the leaves. All are routers with
 * routes of equal cost, and choose a spine by addresses and ports. There is no route out.
 */
export interface Fabric {
  /** The address of a host. */
  readonly address: (host: FabricHost) => string;
  /** The address with which a router answers packets that come from `h1`. */
  readonly router: (name: 'leaf1' | `spine${Spine}`) => string;
  /** The addresses of the second leaf towards the spines. */
  readonly secondLeaf: readonly string[];
  /** A client of the agent of a host. */
  readonly client: (host: FabricHost, signal?: AbortSignal) => Client;
  /** Runs a command on a host, leaf or spine. */
  readonly runOn: (name: string, command: readonly string[], input?: string) => Promise<string>;
  /** Sets the MTU of all links between the spines and the second leaf. */
  readonly setMtu: (bytes: number) => Promise<void>;
  /** Drops what an nftables expression matches, on its way out of or through a router. */
  readonly drop: (name: string, hook: 'output' | 'forward', match: string) => Promise<void>;
  /** Stops the agents of these hosts, does something, and starts them again. */
  readonly restart: (hosts: readonly FabricHost[], meanwhile: () => Promise<void>) => Promise<void>;
  /** Removes all rules of `drop`, and sets the usual MTU. */
  readonly repair: () => Promise<void>;
  readonly logs: () => string;
  readonly close: () => Promise<void>;
}

interface Addresses {
  readonly bits: number;
  readonly host: (n: 1 | 2) => string;
  readonly leaf: (n: 1 | 2) => string;
  readonly network: (n: 1 | 2) => string;
  /** The two ends of the link between a leaf and a spine. */
  readonly link: (leaf: 1 | 2, spine: Spine) => { readonly leaf: string; readonly spine: string };
}

const plans: Readonly<Record<Family, Addresses>> = {
  4: {
    bits: 24,
    host: (n) => `10.1.${n}.2`,
    leaf: (n) => `10.1.${n}.1`,
    network: (n) => `10.1.${n}.0/24`,
    link: (leaf, spine) => ({
      leaf: `10.${leaf + 1}.${spine}.1`,
      spine: `10.${leaf + 1}.${spine}.2`,
    }),
  },
  6: {
    bits: 64,
    host: (n) => `fd00:1:${n}::2`,
    leaf: (n) => `fd00:1:${n}::1`,
    network: (n) => `fd00:1:${n}::/64`,
    link: (leaf, spine) => ({
      leaf: `fd00:${leaf + 1}:${spine}::1`,
      spine: `fd00:${leaf + 1}:${spine}::2`,
    }),
  },
};

const prepare = `
for scope in all default; do
  echo 0 >/proc/sys/net/ipv4/conf/$scope/rp_filter
  folder=/proc/sys/net/ipv6/conf/$scope
  [ -d $folder ] || continue
  echo 0 >$folder/disable_ipv6
  echo 0 >$folder/accept_dad
  echo 0 >$folder/accept_ra
done
`;

// The hash is of addresses, protocol and ports, read from each packet. Policy 1 would take the random number
// that the sender's socket gave each connection, because a veth passes it on: no network does that.
const forward = `
echo 1 >/proc/sys/net/ipv4/ip_forward
for folder in /proc/sys/net/ipv4 /proc/sys/net/ipv6; do
  [ -d $folder ] || continue
  echo 3 >$folder/fib_multipath_hash_policy
  echo 0x37 >$folder/fib_multipath_hash_fields
done
[ ! -d /proc/sys/net/ipv6 ] || echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
`;

const usualMtu = 1500;

/**
 * Builds the fabric and starts an agent on each host.
 * @throws Error if that is not possible; then nothing of it is left
 */
export async function startFabric(family: Family): Promise<Fabric> {
  await removeLeftovers();
  const prefix = labPrefix();
  const folder = labFolder(prefix);
  const plan = plans[family];
  const namespace = (name: string): string => `${prefix}-${name}`;
  const routers = ['leaf1', 'leaf2', ...spines.map((spine) => `spine${spine}`)];
  const names = [...hostNames, ...routers];
  const agents = new Map<FabricHost, LabProcess>();
  const nodesFile = join(folder, 'nodes.yaml');
  const socketPath = (host: FabricHost): string => join(folder, `${host}.sock`);
  const runOn = (name: string, command: readonly string[], input = ''): Promise<string> =>
    runIn(namespace(name), command, input);

  async function build(): Promise<void> {
    await run(
      'ip',
      ['-batch', '-'],
      names.map((name) => `netns add ${namespace(name)}\n`).join(''),
    );
    await Promise.all(names.map((name) => runOn(name, ['sh', '-e'], prepare)));
    await Promise.all(routers.map((name) => runOn(name, ['sh', '-e'], forward)));
    for (const n of [1, 2] as const) await buildSide(n);
    await Promise.all(
      spines.map((spine) =>
        ip(namespace(`spine${spine}`), [
          'link set lo up',
          ...([1, 2] as const).map(
            (n) => `route add ${plan.network(n)} via ${plan.link(n, spine).leaf}`,
          ),
        ]),
      ),
    );
    for (const n of [1, 2] as const) await addEqualRoutes(n);
  }

  async function buildSide(n: 1 | 2): Promise<void> {
    const nodad = family === 6 ? ' nodad' : '';
    const [host, leaf] = [`h${n}`, `leaf${n}`];
    await ip(namespace(leaf), [
      'link set lo up',
      `link add host type veth peer name eth0 netns ${namespace(host)}`,
      `addr add ${plan.leaf(n)}/${plan.bits} dev host${nodad}`,
      'link set host up',
      ...spines.flatMap((spine) => [
        `link add spine${spine} type veth peer name leaf${n} netns ${namespace(`spine${spine}`)}`,
        `addr add ${plan.link(n, spine).leaf}/${plan.bits} dev spine${spine}${nodad}`,
        `link set spine${spine} up`,
      ]),
    ]);
    await Promise.all(
      spines.map((spine) =>
        ip(namespace(`spine${spine}`), [
          `addr add ${plan.link(n, spine).spine}/${plan.bits} dev leaf${n}${nodad}`,
          `link set leaf${n} up`,
        ]),
      ),
    );
    await ip(namespace(host), [
      'link set lo up',
      `addr add ${plan.host(n)}/${plan.bits} dev eth0${nodad}`,
      'link set eth0 up',
      `route add default via ${plan.leaf(n)}`,
    ]);
  }

  async function addEqualRoutes(n: 1 | 2): Promise<void> {
    const other = n === 1 ? 2 : 1;
    const hops = spines.map((spine) => `nexthop via ${plan.link(n, spine).spine}`).join(' ');
    await ip(namespace(`leaf${n}`), [`route add ${plan.network(other)} ${hops}`]);
  }

  async function startAgents(): Promise<void> {
    const nodes = hostNames.map(
      (name, index) =>
        `  - name: ${clusterName}/${name}\n    host: "${plan.host((index + 1) as 1 | 2)}"\n`,
    );
    await writeFile(nodesFile, `nodes:\n${nodes.join('')}`);
    for (const name of hostNames) {
      const groups = '/proc/sys/net/ipv4/ping_group_range';
      await runOn(name, ['sh', '-e'], `echo '${pingGroups[name]}' >${groups}\n`);
    }
    await start(hostNames);
  }

  async function start(hosts: readonly FabricHost[]): Promise<void> {
    for (const name of hosts) {
      const flags = {
        'node-name': `${clusterName}/${name}`,
        'cluster-name': clusterName,
        'nodes-file': nodesFile,
        'socket-path': socketPath(name),
        'probe-port': `${probePort}`,
        'health-listen': '127.0.0.1:4241',
        'udp-port': `${probePort}`,
      };
      const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
      const log = join(folder, `${name}.log`);
      agents.set(name, startNode(`agent of ${name}`, namespace(name), [program, ...args], log));
    }
    const isReady = async (host: FabricHost): Promise<boolean> => {
      const page = await client(host)
        .nodes()
        .catch(() => undefined);
      return page?.nodes.length === hostNames.length;
    };
    for (const name of hosts) await until(() => isReady(name));
  }

  function client(host: FabricHost, signal?: AbortSignal): Client {
    const address = { kind: 'unix', path: socketPath(host) } as const;
    return createClient({ address, timeoutMs: 10_000, ...(signal && { signal }) });
  }

  async function setMtu(bytes: number): Promise<void> {
    await ip(
      namespace('leaf2'),
      spines.map((spine) => `link set spine${spine} mtu ${bytes}`),
    );
    for (const spine of spines) {
      await ip(namespace(`spine${spine}`), [`link set leaf2 mtu ${bytes}`]);
    }
  }

  async function close(): Promise<void> {
    await Promise.allSettled([...agents.values()].map((agent) => agent.stop()));
    const made = new Set(await listNamespaces());
    await removeNamespaces(names.map(namespace).filter((name) => made.has(name)));
    await rm(folder, { recursive: true, force: true });
  }

  const fabric: Fabric = {
    address: (host) => plan.host(host === 'h1' ? 1 : 2),
    router: (name) =>
      name === 'leaf1' ? plan.leaf(1) : plan.link(1, Number(name.at(-1)) as Spine).spine,
    secondLeaf: spines.map((spine) => plan.link(2, spine).leaf),
    client,
    runOn,
    setMtu,
    async drop(name, hook, match) {
      const rules = `add table inet lab
add chain inet lab ${hook} { type filter hook ${hook} priority 0; }
add rule inet lab ${hook} ${match} drop\n`;
      await runOn(name, ['nft', '-f', '-'], rules);
    },
    async repair() {
      await Promise.all(routers.map((name) => runOn(name, ['nft', 'flush', 'ruleset'])));
      await setMtu(usualMtu);
      // What routers said of the path is remembered by the hosts.
      for (const name of hostNames) {
        await runOn(name, ['ip', `-${family}`, 'route', 'flush', 'cache']);
      }
    },
    async restart(hosts, meanwhile) {
      await Promise.all(hosts.map(async (host) => agents.get(host)?.stop()));
      await meanwhile();
      await start(hosts);
    },
    logs: () => [...agents.values()].map((agent) => agent.log()).join('\n'),
    close,
  };
  try {
    await mkdir(folder, { mode: 0o700 });
    await build();
    await startAgents();
    return fabric;
  } catch (error) {
    console.error(fabric.logs());
    await close();
    throw error;
  }
}

async function until(isTrue: () => Promise<boolean>, deadlineMs = 30_000): Promise<void> {
  const endMs = performance.now() + deadlineMs;
  while (!(await isTrue())) {
    if (performance.now() > endMs) throw new Error('the agents did not start in time');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
