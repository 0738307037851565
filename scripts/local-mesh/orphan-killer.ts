import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Collects process ids until its input ends, then kills them and removes the folder. */
const script =
  'pids=; while read -r pid; do pids="$pids $pid"; done; kill -KILL $pids; rm -rf "$0"';

/**
 * Cleans up after a mesh that was killed and could not do it itself: a shell whose input ends when
 * the mesh's process does, however that ends.
 */
export class OrphanKiller {
  readonly #shell: ChildProcessByStdio<Writable, null, null>;

  constructor(folder: string) {
    this.#shell = spawn('/bin/sh', ['-c', script, folder], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // Without a shell the mesh runs all the same; only a killed one then leaves its processes.
    this.#shell.on('error', () => undefined);
    this.#shell.stdin.on('error', () => undefined);
  }

  /** From now on the process is killed when the mesh is. */
  watch(pid: number): void {
    this.#shell.stdin.write(`${pid}\n`);
  }

  /** To be called once all is stopped: nothing is left to kill. */
  stop(): void {
    this.#shell.kill('SIGKILL');
  }
}
