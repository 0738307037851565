import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCells, type Cell } from './cells.js';
import { clusterName, probePort, type Host, type Plan } from './plan.js';
import { startNode, type LabProcess } from './process.js';

const program = join(import.meta.dirname, '../../../dist/agent/main.js');

/** Between two probes of a path with one protocol; short, so that a fault shows soon. */
export const probeIntervalMs = 500;
const probeTimeoutMs = 400;

/** The agents and responders of a lab. */
export interface Agents {
  /**
   * What every agent's API says now. An agent that does not answer (yet) knows nothing.
   * @throws Error where a process has ended by itself
   */
  read(): Promise<Cell[]>;
  /** Stops all. @throws AggregateError naming those that did not end with exit code 0 */
  stop(): Promise<void>;
  /** What the processes wrote last. */
  logs(): string;
}

/** Starts an agent on every host and a responder in every endpoint. */
export async function startAgents(plan: Plan, folder: string): Promise<Agents> {
  const nodesFile = join(folder, 'nodes.yaml');
  await writeFile(nodesFile, nodesText(plan.hosts));
  const socketPath = ({ name }: Host) => join(folder, `${name}.sock`);
  const processes = plan.hosts.flatMap((host): LabProcess[] => [
    startNode(
      `agent of ${host.name}`,
      host.namespace,
      [program, ...agentFlags(host, nodesFile, socketPath(host))],
      join(folder, `${host.name}-agent.log`),
    ),
    startNode(
      `responder of ${host.name}`,
      host.endpointNamespace,
      [
        ...[program, 'responder'],
        ...['--listen-address', host.endpointIp, '--probe-port', `${probePort}`],
      ],
      join(folder, `${host.name}-responder.log`),
    ),
  ]);
  return {
    async read() {
      const dead = processes.find((process) => process.ended() !== undefined);
      if (dead) throw new Error(`${dead.name} ended by itself\n${dead.log()}`);
      const perSource = plan.hosts.map((host) => readCells(host, socketPath(host), plan.hosts));
      return (await Promise.all(perSource)).flat();
    },
    async stop() {
      const results = await Promise.allSettled(processes.map((process) => process.stop()));
      const failed = results.flatMap((result): unknown =>
        result.status === 'rejected' ? [result.reason] : [],
      );
      if (failed.length > 0) throw new AggregateError(failed, failed.join('; '));
    },
    logs: () => processes.map((process) => process.log()).join('\n'),
  };
}

function agentFlags({ name, nodeIp, icmp }: Host, nodesFile: string, socketPath: string): string[] {
  const flags = {
    'node-name': `${clusterName}/${name}`,
    'nodes-file': nodesFile,
    'socket-path': socketPath,
    'listen-address': nodeIp,
    'probe-port': `${probePort}`,
    // Every host has a loopback of its own.
    'health-listen': '127.0.0.1:4241',
    'icmp-interval': `${probeIntervalMs}ms`,
    'http-interval': `${probeIntervalMs}ms`,
    'probe-timeout': `${probeTimeoutMs}ms`,
    'icmp-engine': icmp === 'net-ping' ? 'net-ping' : 'kernel',
  };
  return Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
}

function nodesText(hosts: readonly Host[]): string {
  const nodes = hosts.map(({ name, nodeIp, endpointIp }) =>
    [
      `  - name: ${clusterName}/${name}`,
      `    host: "${nodeIp}"`,
      `    endpoint: ["${endpointIp}"]`,
    ].join('\n'),
  );
  return `nodes:\n${nodes.join('\n')}\n`;
}
