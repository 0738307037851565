import { mkdir } from 'node:fs/promises';
import type { Client } from '../../../api/client/client.js';
import { ip, runIn } from './command.js';
import { fabricAgents } from './fabric-agents.js';
import { buildFabric, namesOf, routers, usualMtu } from './fabric-network.js';
import {
  planFabric,
  spines,
  type FabricHost,
  type FabricOptions,
  type Spine,
} from './fabric-plan.js';
import { labFolder, labPrefix, removeLeftovers, removeMade } from './leftovers.js';

/**
 * Hosts behind two leaves, and four spines between the leaves. Leaves and spines are routers with routes of
 * equal cost, and choose a spine by addresses and ports. There is no route out.
 */
export interface Fabric {
  /** `h1` is behind the first leaf, the last host behind the second. */
  readonly hosts: readonly FabricHost[];
  /** The address of a host. */
  readonly address: (host: FabricHost) => string;
  /** The address with which a router answers packets that come from `h1`. */
  readonly router: (name: 'leaf1' | `spine${Spine}`) => string;
  /** The addresses of the second leaf towards the spines. */
  readonly secondLeaf: readonly string[];
  /** A client of the agent of a host. */
  readonly client: (host: FabricHost, signal?: AbortSignal) => Client;
  /** Runs a command on a host, its endpoint (`h1e`), a leaf or a spine. */
  readonly runOn: (name: string, command: readonly string[], input?: string) => Promise<string>;
  /** Sets the MTU of all links between the spines and the second leaf. */
  readonly setMtu: (bytes: number) => Promise<void>;
  /** Drops what an nftables expression matches, on its way into, out of or through a router or host. */
  readonly drop: (name: string, hook: Hook, match: string) => Promise<void>;
  /** Stops the agents of these hosts, forgets what routers said, does something, and starts them again. */
  readonly restart: (hosts: readonly FabricHost[], meanwhile: () => Promise<void>) => Promise<void>;
  /** Removes all rules of `drop`, and sets the usual MTU. */
  readonly repair: () => Promise<void>;
  readonly logs: () => string;
  readonly close: () => Promise<void>;
}

type Hook = 'input' | 'output' | 'forward';

/**
 * Builds the fabric and starts an agent on each host.
 * @throws Error if that is not possible; then nothing of it is left
 */
export async function startFabric(options: FabricOptions): Promise<Fabric> {
  await removeLeftovers();
  const prefix = labPrefix();
  const folder = labFolder(prefix);
  const plan = planFabric(options);
  const namespace = (name: string): string => `${prefix}-${name}`;
  const names = namesOf(plan);
  const hosts = plan.hosts.map(({ name }) => name);
  const agents = fabricAgents(plan, folder, namespace);
  const runOn = (name: string, command: readonly string[], input = ''): Promise<string> =>
    runIn(namespace(name), command, input);

  async function setMtu(bytes: number): Promise<void> {
    await ip(
      namespace('leaf2'),
      spines.map((spine) => `link set spine${spine} mtu ${bytes}`),
    );
    for (const spine of spines) {
      await ip(namespace(`spine${spine}`), [`link set leaf2 mtu ${bytes}`]);
    }
  }

  /** What routers said of a path is remembered by those who sent. */
  async function forget(): Promise<void> {
    const senders = names.filter((name) => !routers.includes(name));
    for (const name of senders) {
      await runOn(name, ['ip', `-${plan.family}`, 'route', 'flush', 'cache']);
    }
  }

  async function close(): Promise<void> {
    await agents.close();
    await removeMade(names.map(namespace), folder);
  }

  const fabric: Fabric = {
    hosts,
    address(host) {
      const found = plan.hosts.find(({ name }) => name === host);
      if (!found) throw new Error(`the fabric has no host ${host}`);
      return found.address;
    },
    router: (name) =>
      name === 'leaf1' ? plan.leaf(1) : plan.link(1, Number(name.at(-1)) as Spine).spine,
    secondLeaf: spines.map((spine) => plan.link(2, spine).leaf),
    client: agents.client,
    runOn,
    setMtu,
    async drop(name, hook, match) {
      const rules = `add table inet lab
add chain inet lab ${hook} { type filter hook ${hook} priority 0; }
add rule inet lab ${hook} ${match} drop\n`;
      await runOn(name, ['nft', '-f', '-'], rules);
    },
    async repair() {
      await Promise.all(names.map((name) => runOn(name, ['nft', 'flush', 'ruleset'])));
      await setMtu(usualMtu);
      await forget();
    },
    async restart(stopped, meanwhile) {
      await agents.stop(stopped);
      await forget();
      await meanwhile();
      await agents.start(stopped);
    },
    logs: agents.logs,
    close,
  };
  try {
    await mkdir(folder, { mode: 0o700 });
    await buildFabric(plan, namespace);
    await agents.start(hosts);
    return fabric;
  } catch (error) {
    console.error(fabric.logs());
    await close();
    throw error;
  }
}
