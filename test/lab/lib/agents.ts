import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Healthz } from '../../../api/schema/healthz.js';
import type { History } from '../../../api/schema/history.js';
import { readCells, type Cell } from './cells.js';
import { clusterName, probePort, type Host, type Plan } from './plan.js';
import { startNode, type LabProcess } from './process.js';
import { getJson } from './unix-socket.js';

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
  /** What a host's agent kept of its last probes to another. @throws Error where it does not answer */
  history(host: Host, of: Host): Promise<History>;
  /** What a host's agent says of itself. @throws Error where it does not answer */
  healthz(host: Host): Promise<Healthz>;
  /** Stops a host's agent where it stands (SIGSTOP), until it is to go on. */
  pause(host: Host): void;
  resume(host: Host): void;
  /** Stops all. @throws AggregateError naming those that did not end with exit code 0 */
  stop(): Promise<void>;
  /** What the processes wrote last. */
  logs(): string;
}

/** Settings of agents that differ from those of every lab, by the name of their flag. */
export type Settings = Readonly<Record<string, string>>;

/** Starts an agent on every host and a responder in every endpoint. */
export async function startAgents(
  plan: Plan,
  folder: string,
  settings: Settings = {},
): Promise<Agents> {
  const nodesFile = join(folder, 'nodes.yaml');
  await writeFile(nodesFile, nodesText(plan.hosts));
  const socketPath = ({ name }: Host) => join(folder, `${name}.sock`);
  const agentOf = new Map(
    plan.hosts.map((host) => [
      host.name,
      startNode(
        `agent of ${host.name}`,
        host.namespace,
        [program, ...agentFlags(host, nodesFile, socketPath(host), settings)],
        join(folder, `${host.name}-agent.log`),
      ),
    ]),
  );
  const responders = plan.hosts.map((host) =>
    startNode(
      `responder of ${host.name}`,
      host.endpointNamespace,
      [
        ...[program, 'responder'],
        ...['--listen-address', host.endpointIp, '--probe-port', `${probePort}`],
      ],
      join(folder, `${host.name}-responder.log`),
    ),
  );
  const processes: LabProcess[] = [...agentOf.values(), ...responders];
  return {
    async read() {
      const dead = processes.find((process) => process.ended() !== undefined);
      if (dead) throw new Error(`${dead.name} ended by itself\n${dead.log()}`);
      const perSource = plan.hosts.map((host) => readCells(host, socketPath(host), plan.hosts));
      return (await Promise.all(perSource)).flat();
    },
    history: async (host, of) =>
      (await getJson(socketPath(host), `/v1beta/history?node=${of.name}`)) as History,
    healthz: async (host) => (await getJson(socketPath(host), '/v1beta/healthz')) as Healthz,
    pause: ({ name }) => agentOf.get(name)?.signal('SIGSTOP'),
    resume: ({ name }) => agentOf.get(name)?.signal('SIGCONT'),
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

function agentFlags(
  { name, nodeIp, icmp }: Host,
  nodesFile: string,
  socketPath: string,
  settings: Settings,
): string[] {
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
    ...settings,
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
