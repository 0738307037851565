import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { nodeEnvironment } from '../../agent/platform/node-start.js';
import { OrphanKiller } from './orphan-killer.js';

const stopGraceMs = 5000;

interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<void>;
}

/** The processes of a mesh: started together, watched, and stopped together. */
export class Children {
  readonly #orphanKiller: OrphanKiller;
  readonly #children: Child[] = [];
  #stopping = false;
  #report: (line: string) => void = () => undefined;

  /** Resolves with one line when a process ends that nobody stopped. It never rejects. */
  readonly died = new Promise<string>((resolve) => {
    this.#report = resolve;
  });

  /** `folder` belongs to the mesh. It is removed with the mesh, even if this process is killed. */
  constructor(folder: string) {
    this.#orphanKiller = new OrphanKiller(folder);
  }

  /** Starts a Node program that writes to a log file, and returns its process id. */
  start(title: string, args: readonly string[], logPath: string): number {
    const log = openSync(logPath, 'a');
    const child = spawn(process.execPath, args, {
      // Each child has its own session. The terminal's Ctrl-C then reaches only the mesh, which
      // stops all of them.
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...nodeEnvironment, ...withoutSettings(process.env) },
    });
    closeSync(log);
    const ended = new Promise<void>((resolve) => {
      const end = (how: string): void => {
        if (!this.#stopping) this.#report(`${title} ended ${how}: ${lastLine(logPath)}`);
        resolve();
      };
      child.once('error', (error) => end(`before it began (${error.message})`));
      child.once('exit', (code, signal) => end(signal ? `by ${signal}` : `with exit code ${code}`));
    });
    this.#children.push({ process: child, ended });
    const pid = child.pid ?? 0;
    if (pid > 0) this.#orphanKiller.watch(pid);
    return pid;
  }

  /** Stops all of them, frozen ones too. It kills a process that needs more than five seconds. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const send = (signal: NodeJS.Signals): void => {
      for (const child of this.#children) child.process.kill(signal);
    };
    const ended = Promise.all(this.#children.map((child) => child.ended));
    send('SIGCONT');
    send('SIGTERM');
    await Promise.race([ended, delay(stopGraceMs, undefined, { ref: false })]);
    send('SIGKILL');
    await ended;
    this.#orphanKiller.stop();
  }
}

/** Only flags configure the mesh's agents, so the settings of the user's shell are removed. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('MESHPROBE_'));
  return Object.fromEntries(kept);
}

function lastLine(path: string): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) || 'its log is empty';
}
