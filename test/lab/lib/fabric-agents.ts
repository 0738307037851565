import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeFlags } from '../../../agent/platform/node-start.js';
import { createClient, type Client } from '../../../api/client/client.js';
import { endpointOf } from './fabric-network.js';
import type { FabricHost, FabricPlan, PlannedHost } from './fabric-plan.js';
import { clusterName, probePort } from './plan.js';
import { startNode, type LabProcess } from './process.js';

const program = [...nodeFlags, join(import.meta.dirname, '../../../dist/agent/main.js')];

/** The agents of a fabric, and the responders of its endpoints. */
export interface FabricAgents {
  readonly client: (host: FabricHost, signal?: AbortSignal) => Client;
  /** Starts all responders, and the agents of these hosts, and waits until all agents know all nodes. */
  readonly start: (hosts: readonly FabricHost[]) => Promise<void>;
  /** Stops the agents of these hosts. */
  readonly stop: (hosts: readonly FabricHost[]) => Promise<void>;
  readonly close: () => Promise<void>;
  /** The last lines that each process wrote. */
  readonly logs: () => string;
}

/**
 * The agents of a plan, with default settings but for the port of datagrams. None is started.
 * @param namespace the namespace of a host or endpoint
 */
export function fabricAgents(
  plan: FabricPlan,
  folder: string,
  namespace: (name: string) => string,
): FabricAgents {
  const agents = new Map<FabricHost, LabProcess>();
  const responders: LabProcess[] = [];
  const nodesFile = join(folder, 'nodes.yaml');
  const targetsFile = join(folder, 'targets.yaml');
  const targetFlags = plan.hasTarget ? { 'targets-file': targetsFile } : {};
  const socketPath = (host: FabricHost): string => join(folder, `${host}.sock`);

  function client(host: FabricHost, signal?: AbortSignal): Client {
    const address = { kind: 'unix', path: socketPath(host) } as const;
    return createClient({ address, timeoutMs: 10_000, ...(signal && { signal }) });
  }

  function startAgent(name: FabricHost): void {
    const flags = {
      'node-name': `${clusterName}/${name}`,
      'cluster-name': clusterName,
      'nodes-file': nodesFile,
      'socket-path': socketPath(name),
      'probe-port': `${probePort}`,
      'health-listen': '127.0.0.1:4241',
      'udp-port': `${probePort}`,
      ...targetFlags,
    };
    const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
    const log = join(folder, `${name}.log`);
    agents.set(name, startNode(`agent of ${name}`, namespace(name), [...program, ...args], log));
  }

  function startResponder({ name, address, overlay }: PlannedHost): void {
    const flags = ['--listen-address', overlay.endpoint, '--probe-port', `${probePort}`];
    if (plan.hasTarget) flags.push('--targets-file', targetsFile);
    for (const source of [address, overlay.host]) flags.push('--agent-source', source);
    const endpoint = endpointOf(name);
    const log = join(folder, `${endpoint}.log`);
    const args = [...program, 'responder', ...flags];
    responders.push(startNode(`responder of ${name}`, namespace(endpoint), args, log));
  }

  async function isReady(host: FabricHost): Promise<boolean> {
    const page = await client(host)
      .nodes()
      .catch(() => undefined);
    return page?.nodes.length === plan.hosts.length;
  }

  return {
    client,
    async start(hosts) {
      await writeFile(
        nodesFile,
        `nodes:\n${plan.hosts.map((host) => entryOf(host, plan)).join('')}`,
      );
      const last = plan.hosts.at(-1)?.address ?? '';
      await writeFile(targetsFile, `targets:\n  - { name: last, tcp: "${last}:${probePort}" }\n`);
      if (plan.overlayMtu !== undefined && responders.length === 0)
        plan.hosts.forEach(startResponder);
      hosts.forEach(startAgent);
      for (const host of hosts) await until(() => isReady(host));
    },
    async stop(hosts) {
      await Promise.all(hosts.map(async (host) => agents.get(host)?.stop()));
    },
    async close() {
      await Promise.allSettled([...agents.values(), ...responders].map((one) => one.stop()));
    },
    logs: () => [...agents.values(), ...responders].map((one) => one.log()).join('\n'),
  };
}

function entryOf(
  { name, address, overlay, zone }: PlannedHost,
  { overlayMtu }: FabricPlan,
): string {
  return [
    `  - name: ${clusterName}/${name}`,
    `    host: "${address}"`,
    ...(overlayMtu === undefined ? [] : [`    endpoint: ["${overlay.endpoint}"]`]),
    ...(zone === undefined ? [] : [`    zone: ${zone}`]),
    '',
  ].join('\n');
}

async function until(isTrue: () => Promise<boolean>, deadlineMs = 30_000): Promise<void> {
  const endMs = performance.now() + deadlineMs;
  while (!(await isTrue())) {
    if (performance.now() > endMs) throw new Error('the agents did not start in time');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
