import { mkdir, rm } from 'node:fs/promises';
import { createAgents, writeNodesFile, type Agents, type Settings } from './agents.js';
import {
  labFolder,
  labPrefix,
  listNamespaces,
  removeLeftovers,
  removeNamespaces,
} from './leftovers.js';
import { buildNetwork, namespacesOf } from './network.js';
import { planLab, type Family, type Host, type Plan } from './plan.js';

/** A cluster of hosts in network namespaces. */
export interface Lab extends Plan {
  /** The host of that name. @throws Error where there is none */
  host(name: string): Host;
  /** For sockets, logs and other files; gone when the lab is closed. */
  readonly folder: string;
  /**
   * Starts one agent per host and one responder per endpoint, on a nodes file of all hosts.
   * @throws Error where the lab has agents already
   */
  startAgents(settings?: Settings): Promise<Agents>;
  /** Agents that find their nodes in another way; none runs yet. @throws Error as `startAgents` */
  agentsWith(source: Settings): Agents;
  /** Ends what still runs and removes everything the lab made. */
  close(): Promise<void>;
}

export interface LabOptions {
  readonly hosts: number;
  readonly family: Family;
  /** The hosts are dealt out to these zones in turn; without them nodes have no zone. */
  readonly zones?: readonly string[];
}

/**
 * Builds a lab, after removing what dead runs have left. Needs root, iproute2 and nftables.
 * @throws Error where it cannot be built; nothing of it is left then
 */
export async function createLab(options: LabOptions): Promise<Lab> {
  await removeLeftovers();
  const prefix = labPrefix();
  const plan = planLab(prefix, options.hosts, options.family, options.zones);
  const folder = labFolder(prefix);
  let hasAgents = false;

  function agentsWith(source: Settings): Agents {
    if (hasAgents) throw new Error('the agents of this lab run already');
    hasAgents = true;
    return createAgents(folder, source);
  }

  async function close(): Promise<void> {
    const made = new Set(await listNamespaces());
    await removeNamespaces(namespacesOf(plan).filter((name) => made.has(name)));
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await mkdir(folder, { mode: 0o700 });
    await buildNetwork(plan);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...plan,
    folder,
    host(name) {
      const found = plan.hosts.find((host) => host.name === name);
      if (!found) throw new Error(`the lab has no host ${name}`);
      return found;
    },
    async startAgents(settings = {}) {
      const agents = agentsWith({ ...(await writeNodesFile(plan.hosts, folder)), ...settings });
      for (const host of plan.hosts) agents.start(host);
      return agents;
    },
    agentsWith,
    close,
  };
}
