import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeFlags } from '../../../agent/platform/node-start.js';
import type { DaemonHealth } from '../../../api/schema/daemon-health.js';
import type { History } from '../../../api/schema/history.js';
import { readCells, type Cell } from './cells.js';
import { clusterName, probePort, type Host } from './plan.js';
import { startNode, type LabProcess } from './process.js';
import { getJson } from './unix-socket.js';

const programOfBuild = join(import.meta.dirname, '../../../dist/agent/main.js');

/**
 * The time between two probes of a path by one protocol. It is short, so that a fault shows soon.
 */
const probeIntervalMs = 500;
const probeTimeoutMs = 400;

/** The agents and responders of a lab. */
export interface Agents {
  /**
   * Starts the agent of a host and the responder of its endpoint. The settings apply to this host
   * only.
   */
  start(host: Host, settings?: Settings): void;
  /** Stops the agent of a host and the responder of its endpoint. */
  end(host: Host): Promise<void>;
  /**
   * Ends the agent and the responder of a host, and starts them with these settings.
   * @param program the path of another version of the agent
   */
  restart(host: Host, settings?: Settings, program?: string): Promise<void>;
  /**
   * What the API of every agent says now. All paths of an agent that does not answer yet are
   * unknown.
   * @throws Error if a process has ended by itself
   */
  read(): Promise<Cell[]>;
  /** @throws Error if a process has ended by itself */
  expectAlive(): void;
  /** The process of a host's agent; undefined while it does not run. */
  pid(host: Host): number | undefined;
  /** Stops all agents and responders. */
  stop(): Promise<void>;
  /** The last probes of one host to another, as the API of its agent shows them. */
  history(host: Host, of: Host): Promise<History>;
  /** The health that a host's agent reports for itself. */
  healthz(host: Host): Promise<DaemonHealth>;
  /** Freezes a host's agent (SIGSTOP) until `resume`. */
  pause(host: Host): void;
  resume(host: Host): void;
  /** Freezes the responder of a host's endpoint. */
  pauseResponder(host: Host): void;
  resumeResponder(host: Host): void;
  /** The path of the unix socket of a host's agent. */
  socketPath(host: Host): string;
  /** The last lines that each process wrote. */
  logs(): string;
}

/**
 * Settings of agents, by the names of their flags. They override the settings that all lab agents
 * have.
 */
export type Settings = Readonly<Record<string, string>>;

/** Agents that find their nodes as these flags say. None of them is started. */
export function createAgents(folder: string, source: Settings): Agents {
  const running = new Map<Host, readonly LabProcess[]>();
  const socketPath = ({ name }: Host) => join(folder, `${name}.sock`);
  const processes = () => [...running.values()].flat();
  function start(host: Host, settings: Settings = {}, program = programOfBuild): void {
    const given = { ...source, ...settings, 'socket-path': socketPath(host) };
    running.set(host, startBoth(host, folder, given, program));
  }
  async function end(host: Host): Promise<void> {
    const both = running.get(host) ?? [];
    running.delete(host);
    await stopAll(both);
  }
  function expectAlive(): void {
    const dead = processes().find((process) => process.ended() !== undefined);
    if (dead) throw new Error(`${dead.name} ended by itself\n${dead.log()}`);
  }
  return {
    socketPath,
    expectAlive,
    pid: (host) => running.get(host)?.[0]?.pid,
    start,
    end,
    async restart(host, settings, program) {
      await end(host);
      start(host, settings, program);
    },
    async read() {
      expectAlive();
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

/** Writes a nodes file of all hosts and returns the flags that name it. */
export async function writeNodesFile(
  hosts: readonly Host[],
  folder: string,
  name = 'nodes.yaml',
): Promise<Settings> {
  const nodesFile = join(folder, name);
  await writeFile(nodesFile, nodesText(hosts));
  return { 'nodes-file': nodesFile };
}

/** Starts the agent and the responder; returns them in this order. */
function startBoth(host: Host, folder: string, given: Settings, program: string): LabProcess[] {
  const command = [...nodeFlags, program];
  return [
    startNode(
      `agent of ${host.name}`,
      host.namespace,
      [...command, ...agentFlags(host, given)],
      join(folder, `${host.name}-agent.log`),
    ),
    startNode(
      `responder of ${host.name}`,
      host.endpointNamespace,
      [...command, 'responder', ...responderFlags(host, given)],
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
    // All hosts can use the same port, because each has its own loopback.
    'health-listen': '127.0.0.1:4241',
    'icmp-interval': `${probeIntervalMs}ms`,
    'http-interval': `${probeIntervalMs}ms`,
    'probe-timeout': `${probeTimeoutMs}ms`,
    'icmp-engine': icmp === 'net-ping' ? 'net-ping' : 'kernel',
    ...given,
  };
  return Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
}

function responderFlags({ name, endpointIp }: Host, given: Settings): string[] {
  const { 'targets-file': targetsFile, 'mesh-key-file': keyFile } = given;
  return [
    ...['--listen-address', endpointIp, '--probe-port', `${probePort}`],
    ...(keyFile === undefined ? [] : ['--mesh-key-file', keyFile]),
    ...(targetsFile === undefined
      ? []
      : ['--node-name', `${clusterName}/${name}`, '--targets-file', targetsFile]),
  ];
}

function nodesText(hosts: readonly Host[]): string {
  const nodes = hosts.map(({ name, nodeIp, endpointIp, zone, labels }) =>
    [
      `  - name: ${clusterName}/${name}`,
      `    host: "${nodeIp}"`,
      `    endpoint: ["${endpointIp}"]`,
      ...(zone === undefined ? [] : [`    zone: ${zone}`]),
      ...(labels ? [`    labels: ${JSON.stringify(labels)}`] : []),
    ].join('\n'),
  );
  return `nodes:\n${nodes.join('\n')}\n`;
}
