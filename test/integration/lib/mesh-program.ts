import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { freePort } from './free-port.js';

const program = join(import.meta.dirname, '../../../dist/mesh/main.js');

/** A started `npm start`, with its output so far. */
export interface Run {
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  output(): string;
}

/** Starts meshes. The tests of the file that calls it end theirs. */
export function useMeshes() {
  let running: Run[] = [];

  afterEach(async () => {
    for (const run of running) {
      run.process.kill('SIGTERM');
      await run.exited;
    }
    running = [];
  });

  const start = (environment: NodeJS.ProcessEnv, ...args: string[]): Run => {
    const child = spawn(process.execPath, [program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    }
    const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
    const run = { process: child, exited, output: () => output };
    running.push(run);
    return run;
  };
  const startReady = async (...args: string[]): Promise<Run> => {
    const run = start({}, ...args);
    await expect.poll(() => run.output(), polling).toContain('Cluster health:');
    return run;
  };
  return { start, startReady };
}

/** A port that is free on the mesh's first address. It is probably free on the others too. */
export const freeMeshPort = () => freePort('127.0.1.1');

/** How long what a mesh prints is waited for. */
export const polling = { timeout: 40_000, interval: 100 };

/** The process ids in the printed line `kill SIGNAL PID... # what`. */
export function pidsOf(run: Run, what: string): number[] {
  const line =
    run
      .output()
      .split('\n')
      .find((line) => line.includes(`# ${what}`)) ?? '';
  return [...line.replace(/#.*/, '').matchAll(/\d+/g)].map(([pid]) => Number(pid));
}

/** Whether a process runs. A zombie has no command line and counts as ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc/self') || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
