import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';

/** Ends a process and removes its folder with the bench, which a signal ends in the middle of a step. */
export function endWithBench(child: ChildProcess, folder: string): void {
  process.once('exit', () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  });
}
