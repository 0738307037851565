import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * The script collects process ids until its input ends. Then it kills them and removes the folder.
 */
const script =
  'pids=; while read -r pid; do pids="$pids $pid"; done; kill -KILL $pids; rm -rf "$0"';

/**
 * Cleans up after a mesh that was killed. It is a shell whose input ends when the mesh's process
 * ends, however that happens.
 */
export class OrphanKiller {
  readonly #shell: ChildProcessByStdio<Writable, null, null>;

  constructor(folder: string) {
    this.#shell = spawn('/bin/sh', ['-c', script, folder], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // The mesh also runs without a shell. Then a killed mesh leaves its processes behind.
    this.#shell.on('error', () => undefined);
    this.#shell.stdin.on('error', () => undefined);
  }

  /** Makes the shell kill this process if the mesh is killed. */
  watch(pid: number): void {
    this.#shell.stdin.write(`${pid}\n`);
  }

  /** Ends the shell. Call it after all processes have stopped. */
  stop(): void {
    this.#shell.kill('SIGKILL');
  }
}
