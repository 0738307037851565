import { spawnSync } from 'node:child_process';

/** Leaves what a killed agent leaves: a socket file on which no one listens. */
export function leaveStale(path: string): void {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script]);
}
