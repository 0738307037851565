import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DaemonHealth } from '../../../api/schema/daemon-health.js';
import type { History } from '../../../api/schema/history.js';
import { readCells, type Cell } from './cells.js';
import { clusterName, probePort, type Host } from './plan.js';
import { startNode, type LabProcess } from './process.js';
import { getJson } from './unix-socket.js';

const program = join(import.meta.dirname, '../../../dist/agent/main.js');

/** Between two probes of a path with one protocol; short, so that a fault shows soon. */
export const probeIntervalMs = 500;
const probeTimeoutMs = 400;

/** The agents and responders of a lab. */
export interface Agents {
  /** Starts the agent of a host and the responder of its endpoint; the settings are for this host alone. */
  start(host: Host, settings?: Settings): void;
  /** Stops both. @throws AggregateError naming those that did not end with exit code 0 */
  end(host: Host): Promise<void>;
  /**
   * What every agent's API says now. An agent that does not answer (yet) knows nothing.
   * @throws Error where a process has ended by itself
   */
  read(): Promise<Cell[]>;
  /** Stops all. @throws AggregateError naming those that did not end with exit code 0 */
  stop(): Promise<void>;
  /** What a host's agent kept of its last probes to another. @throws Error where it does not answer */
  history(host: Host, of: Host): Promise<History>;
  /** What a host's agent says of itself. @throws Error where it does not answer */
  healthz(host: Host): Promise<DaemonHealth>;
  /** Stops a host's agent where it stands (SIGSTOP), until it is to go on. */
  pause(host: Host): void;
  resume(host: Host): void;
  /** The same with the responder of its endpoint. */
  pauseResponder(host: Host): void;
  resumeResponder(host: Host): void;
  /** Where the agent of a host answers. */
  socketPath(host: Host): string;
  /** What the processes wrote last. */
  logs(): string;
}

/** Settings of a lab's agents, by the name of their flag; they win over those of every lab. */
export type Settings = Readonly<Record<string, string>>;

/** Agents that find their nodes as the flags say; none of them runs yet. */
export function createAgents(folder: string, source: Settings): Agents {
  const running = new Map<Host, readonly LabProcess[]>();
  const socketPath = ({ name }: Host) => join(folder, `${name}.sock`);
  const processes = () => [...running.values()].flat();
  return {
    socketPath,
    start(host, settings = {}) {
      const given = { ...source, ...settings, 'socket-path': socketPath(host) };
      running.set(host, startBoth(host, folder, given));
    },
    async end(host) {
      const both = running.get(host) ?? [];
      running.delete(host);
      await stopAll(both);
    },
    async read() {
      const dead = processes().find((process) => process.ended() !== undefined);
      if (dead) throw new Error(`${dead.name} ended by itself\n${dead.log()}`);
      const hosts = [...running.keys()];
      const perSource = hosts.map((host) => readCells(host, socketPath(host), hosts));
      return (await Promise.all(perSource)).flat();
    },
    history: async (host, of) =>
      (await getJson(socketPath(host), `/v1beta/history?node=${of.name}`)) as History,
    healthz: async (host) => (await getJson(socketPath(host), '/v1beta/healthz')) as DaemonHealth,
    pause: (host) => running.get(host)?.[0]?.signal('SIGSTOP'),
    resume: (host) => running.get(host)?.[0]?.signal('SIGCONT'),
    pauseResponder: (host) => running.get(host)?.[1]?.signal('SIGSTOP'),
    resumeResponder: (host) => running.get(host)?.[1]?.signal('SIGCONT'),
    stop: () => stopAll(processes()),
    logs: () =>
      processes()
        .map((process) => process.log())
        .join('\n'),
  };
}

/** A nodes file of all hosts, and the flags that name it. */
export async function writeNodesFile(hosts: readonly Host[], folder: string): Promise<Settings> {
  const nodesFile = join(folder, 'nodes.yaml');
  await writeFile(nodesFile, nodesText(hosts));
  return { 'nodes-file': nodesFile };
}

/** The agent, then the responder. */
function startBoth(host: Host, folder: string, given: Settings): LabProcess[] {
  return [
    startNode(
      `agent of ${host.name}`,
      host.namespace,
      [program, ...agentFlags(host, given)],
      join(folder, `${host.name}-agent.log`),
    ),
    startNode(
      `responder of ${host.name}`,
      host.endpointNamespace,
      [program, 'responder', '--listen-address', host.endpointIp, '--probe-port', `${probePort}`],
      join(folder, `${host.name}-responder.log`),
    ),
  ];
}

async function stopAll(processes: readonly LabProcess[]): Promise<void> {
  const results = await Promise.allSettled(processes.map((process) => process.stop()));
  const failed = results.flatMap((result): unknown =>
    result.status === 'rejected' ? [result.reason] : [],
  );
  if (failed.length > 0) throw new AggregateError(failed, failed.join('; '));
}

function agentFlags({ name, nodeIp, icmp }: Host, given: Settings): string[] {
  const flags = {
    'node-name': `${clusterName}/${name}`,
    'cluster-name': clusterName,
    'listen-address': nodeIp,
    'probe-port': `${probePort}`,
    // Every host has a loopback of its own.
    'health-listen': '127.0.0.1:4241',
    'icmp-interval': `${probeIntervalMs}ms`,
    'http-interval': `${probeIntervalMs}ms`,
    'probe-timeout': `${probeTimeoutMs}ms`,
    'icmp-engine': icmp === 'net-ping' ? 'net-ping' : 'kernel',
    ...given,
  };
  return Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
}

function nodesText(hosts: readonly Host[]): string {
  const nodes = hosts.map(({ name, nodeIp, endpointIp, zone }) =>
    [
      `  - name: ${clusterName}/${name}`,
      `    host: "${nodeIp}"`,
      `    endpoint: ["${endpointIp}"]`,
      ...(zone === undefined ? [] : [`    zone: ${zone}`]),
    ].join('\n'),
  );
  return `nodes:\n${nodes.join('\n')}\n`;
}
