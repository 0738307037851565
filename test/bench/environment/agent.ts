import { readFileSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../../agent/platform/errors.js';
import { nodeEnvironment, nodeFlags } from '../../../agent/platform/node-start.js';
import { startService } from './child.js';
import { nodesFileOf, type BenchNode } from './cluster.js';
import { probePort, type BenchEnvironment } from './environment.js';
import { ask, askStatus, pathsOf, type Answer } from './status.js';
import { usageOf, type Usage } from './process-usage.js';

export type Engine = 'kernel' | 'net-ping' | 'off';

export interface AgentOptions {
  readonly program: string;
  readonly nodes: readonly BenchNode[];
  readonly engine: Engine;
  /** Further flags. They come last and so override the others. */
  readonly flags?: readonly string[];
}

/** The measured agent. */
export interface Agent {
  readonly pid: number;
  readonly socketPath: string;
  readonly nodesFile: string;
  /** The time from the start of the process until its socket answered. */
  readonly answeredMs: number;
  /** When the process was started, in epoch milliseconds. */
  readonly startedAt: number;
  status(): Promise<Answer>;
  usage(): Promise<Usage>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const startDeadlineMs = 30_000;
const retryMs = 3;
let started = 0;

/**
 * Starts an agent and resolves as soon as its socket answers.
 * @throws Error if the socket does not answer in time
 */
export async function startAgent(ground: BenchEnvironment, options: AgentOptions): Promise<Agent> {
  const { program, nodes, engine, flags = [] } = options;
  const name = `agent${started++}`;
  const [nodesFile, socketPath] = [
    join(ground.folder, `${name}.yaml`),
    join(ground.folder, `${name}.sock`),
  ];
  await writeFile(nodesFile, nodesFileOf(nodes));
  // Written long ago, as where a node boots: of a file that was just written an agent waits until it rests.
  await utimes(nodesFile, 0, 0);
  const command = [
    'env',
    ...Object.entries(nodeEnvironment).map(
      ([name, value]) => `${name}=${process.env[name] ?? value}`,
    ),
    process.execPath,
    ...nodeFlags,
    program,
    '--nodes-file',
    nodesFile,
    '--socket-path',
    socketPath,
    '--node-name',
    nodes[0]?.name ?? '',
    '--probe-port',
    `${probePort}`,
    '--icmp-engine',
    engine,
    ...flags,
  ];
  const [startedAt, startedMs] = [Date.now(), performance.now()];
  const logFile = join(ground.folder, `${name}.log`);
  const service = startService(ground.agentNamespace, command, logFile);
  const explain = (error: unknown): never => {
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-3);
    throw new Error(`${messageOf(error)}; the agent wrote last:\n${lines.join('\n')}`);
  };
  try {
    await answers(socketPath, startedMs);
  } catch (error) {
    await service.stop();
    return explain(error);
  }
  const answeredMs = performance.now() - startedMs;
  return {
    pid: service.pid,
    socketPath,
    nodesFile,
    answeredMs,
    startedAt,
    status: () => askStatus(socketPath).catch(explain),
    usage: () => usageOf(service.pid),
    stop: (signal = 'SIGTERM') => service.stop(signal),
  };
}

/**
 * Waits until every path has a state by every protocol. Resolves with the time of the last one, in
 * milliseconds after the start.
 * @throws Error if a path has no state in time
 */
export async function untilSwept(agent: Agent, nodes: number, wantsIcmp: boolean): Promise<number> {
  const deadlineMs = 20_000 + nodes * 20;
  const pollMs = Math.max(100, nodes / 10);
  for (;;) {
    const { body, at } = await agent.status();
    const paths = pathsOf(body);
    const missing = paths.filter(
      ({ state }) => (wantsIcmp && state('icmp') === 'unknown') || state('http') === 'unknown',
    );
    if (paths.length === nodes * 2 && missing.length === 0) {
      const since = paths.flatMap(({ protocols: { icmp, http } }) =>
        [icmp, http].map((status) => Date.parse(status?.since ?? '') || 0),
      );
      const last = since.reduce((most, each) => Math.max(most, each), agent.startedAt);
      return Math.min(last, at) - agent.startedAt;
    }
    if (at - agent.startedAt > deadlineMs) {
      throw new Error(
        `after ${deadlineMs} ms ${missing.length} of ${paths.length} paths are still unknown`,
      );
    }
    await delay(pollMs);
  }
}

async function answers(socketPath: string, startedMs: number): Promise<void> {
  for (;;) {
    try {
      await ask(socketPath, '/v1beta/healthz', { timeoutMs: 2000 });
      return;
    } catch (error) {
      if (performance.now() - startedMs > startDeadlineMs) {
        throw new Error(`the agent's socket did not answer within ${startDeadlineMs} ms`, {
          cause: error,
        });
      }
      await delay(retryMs);
    }
  }
}
