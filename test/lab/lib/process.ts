import { readFileSync } from 'node:fs';
import { nodeEnvironment } from '../../../agent/platform/node-start.js';
import { endProcess, spawnLogged } from '../../resources/logged-process.js';

/** A process of a lab, inside one of its namespaces. */
export interface LabProcess {
  readonly name: string;
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  /** How the process ended; undefined while it runs. */
  readonly ended: () => string | undefined;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<void>;
  /** The last lines that the process wrote. */
  log(): string;
}

const logLines = 25;

/** Starts `node ARGS` inside a namespace. The output goes to a file. */
export function startNode(
  name: string,
  namespace: string,
  args: readonly string[],
  logFile: string,
): LabProcess {
  // `ip netns exec` replaces itself with the command, so the child process is node itself.
  const command = ['ip', 'netns', 'exec', namespace, process.execPath, ...args] as const;
  const child = spawnLogged(logFile, command, { env: { ...nodeEnvironment, ...process.env } });
  let ended: string | undefined;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended = signal ?? `exit code ${code}`));
  return {
    name,
    pid: child.pid,
    ended: () => ended,
    signal: (signal) => child.kill(signal),
    async stop() {
      await endProcess(child);
      if (ended !== 'exit code 0') throw new Error(`${name} ended with ${ended} after SIGTERM`);
    },
    log() {
      const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
      return [`--- ${name} (${ended ?? 'running'})`, ...lines.slice(-logLines)].join('\n');
    },
  };
}
