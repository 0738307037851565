import { mkdir } from 'node:fs/promises';
import { createAgents, writeNodesFile, type Agents, type Settings } from './agents.js';
import { labFolder, labPrefix, removeLeftovers, removeMade } from './leftovers.js';
import { buildNetwork, namespacesOf } from './network.js';
import { planLab, type Family, type Host, type Plan } from './plan.js';

/** A cluster of hosts in network namespaces. */
export interface Lab extends Plan {
  /** The host of that name. @throws Error if there is none */
  host(name: string): Host;
  /** The folder for sockets, logs and other files. It is removed when the lab is closed. */
  readonly folder: string;
  /**
   * Starts one agent on each host and one responder on each endpoint. All use a nodes file of all
   * hosts.
   * @throws Error if the lab has agents already
   */
  startAgents(settings?: Settings): Promise<Agents>;
  /** Agents that find their nodes in another way. None of them is started. */
  agentsWith(source: Settings): Agents;
  /** Stops all processes of the lab and removes everything that it made. */
  close(): Promise<void>;
}

export interface LabOptions {
  readonly hosts: number;
  readonly family: Family;
  /** The hosts are assigned to these zones in turn. Without zones, nodes have no zone. */
  readonly zones?: readonly string[];
  /** The labels of a host, by its number from 1. Without it, nodes have no labels. */
  readonly labelsOf?: (number: number) => Readonly<Record<string, string>>;
}

/**
 * Builds a lab after it has removed the leftovers of dead runs. It needs root, iproute2 and
 * nftables.
 * @throws Error if it cannot be built; then nothing of it is left
 */
export async function createLab(options: LabOptions): Promise<Lab> {
  await removeLeftovers();
  const prefix = labPrefix();
  const plan = planLab(prefix, options.hosts, options.family, options.zones, options.labelsOf);
  const folder = labFolder(prefix);
  let hasAgents = false;

  function agentsWith(source: Settings): Agents {
    if (hasAgents) throw new Error('the agents of this lab run already');
    hasAgents = true;
    return createAgents(folder, source);
  }

  const close = () => removeMade(namespacesOf(plan), folder);

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
