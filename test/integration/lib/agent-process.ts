import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import { nodeEnvironment, nodeFlags } from '../../../agent/platform/node-start.js';
import type { DaemonHealth } from '../../../api/schema/daemon-health.js';
import type { Status } from '../../../api/schema/status.js';
import { freePort } from './free-port.js';

const program = fileURLToPath(new URL('../../../dist/agent/main.js', import.meta.url));

/** The agent of a node among others. */
export interface NodeOptions {
  readonly name: string;
  /** The nodes of the cluster, or the file that lists them. */
  readonly nodes: readonly object[] | string;
  /** The port of its probes, by default that of the bench. */
  readonly port?: number;
  readonly listen?: readonly string[];
  /** Further flags. */
  readonly more?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The script of an agent, by default the one that was built here. */
  readonly program?: string | undefined;
}

/** A temporary folder and the agents that run in it. Both are there until `close`. */
export class AgentBench {
  /** The port of the probes of all agents here. */
  port = 0;
  #folder: string | undefined;
  readonly #agents: AgentProcess[] = [];

  get folder(): string {
    return (this.#folder ??= mkdtempSync(join(tmpdir(), 'meshprobe-agent-')));
  }

  file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /**
   * Arguments for an agent that is the only node of its cluster. It uses the socket `n1.sock` in
   * the folder.
   */
  loneAgent(port = this.port): string[] {
    const nodes = [{ name: 'n1', host: '127.0.4.1' }];
    return this.#flagsOf({ name: 'n1', nodes, port, listen: ['127.0.4.1'] });
  }

  /** Starts the agent of a node, with a socket by its name in the folder. */
  startNode(options: NodeOptions): { readonly agent: AgentProcess; readonly socketPath: string } {
    const { name, more = [], env = {}, program: agentProgram } = options;
    const args = [...this.#flagsOf(options), ...more];
    return {
      agent: this.start(args, env, 'pipe', agentProgram),
      socketPath: this.path(`${name}.sock`),
    };
  }

  #flagsOf({ name, nodes, port = this.port, listen = [] }: NodeOptions): string[] {
    const file =
      typeof nodes === 'string' ? nodes : this.file(`${name}.yaml`, JSON.stringify({ nodes }));
    return [
      ...['--node-name', name, '--nodes-file', file, '--socket-path', this.path(`${name}.sock`)],
      ...['--probe-port', String(port), ...listen.flatMap((ip) => ['--listen-address', ip])],
    ];
  }

  /**
   * Starts a real agent. Its output is collected, unless it goes to another file.
   * @param agentProgram the script of an agent, by default the one that was built here
   */
  start(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    stdout: number | 'pipe' = 'pipe',
    agentProgram = program,
  ): AgentProcess {
    const agent = new AgentProcess(args, env, stdout, agentProgram);
    this.#agents.push(agent);
    return agent;
  }

  /** Starts a real agent by a command, to which its own command line is added. */
  startUnder(command: readonly string[], args: readonly string[]): AgentProcess {
    const agent = new AgentProcess(args, {}, 'pipe', program, command);
    this.#agents.push(agent);
    return agent;
  }

  async close(): Promise<void> {
    await Promise.all(this.#agents.splice(0).map((agent) => agent.kill()));
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}

/** A bench for the tests of a file or of a `describe`. Each begins with a port that is free and without agents. */
export function useAgentBench(): AgentBench {
  const bench = new AgentBench();
  beforeEach(async () => {
    bench.port = await freePort();
  });
  afterEach(() => bench.close());
  return bench;
}

export class AgentProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  output = '';
  errors = '';

  constructor(
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    stdout: number | 'pipe',
    agentProgram: string,
    command: readonly string[] = [],
  ) {
    const [first = '', ...rest] = [
      ...command,
      process.execPath,
      ...nodeFlags,
      agentProgram,
      ...args,
    ];
    this.child = spawn(first, rest, {
      // Several agents run on one machine, so a test must ask for a health port.
      env: {
        ...nodeEnvironment,
        PATH: process.env['PATH'],
        MESHPROBE_HEALTH_LISTEN: 'off',
        ...env,
      },
      stdio: ['ignore', stdout, 'pipe'],
    });
    this.child.stdout?.on('data', (data: Buffer) => (this.output += data.toString()));
    this.child.stderr?.on('data', (data: Buffer) => (this.errors += data.toString()));
    this.exited = once(this.child, 'close').then(([code]) => code as number | null);
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await this.exited;
  }
}

/** Sends one request over a unix socket and returns the JSON of the answer. */
export async function ask(
  socketPath: string,
  path: string,
  method = 'GET',
): Promise<{ status: number; body: unknown }> {
  const asked = request({ socketPath, path, method, agent: false }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode ?? 0, body: JSON.parse(text) as unknown };
}

export async function statusOf(socketPath: string): Promise<Status> {
  return (await ask(socketPath, '/v1beta/status')).body as Status;
}

export async function healthzOf(socketPath: string): Promise<DaemonHealth> {
  return (await ask(socketPath, '/v1beta/healthz')).body as DaemonHealth;
}
