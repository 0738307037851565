import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

const stopDeadlineMs = 8000;

/** Starts a command whose output goes to a file. What could not be started has an exit code below zero. */
export function spawnLogged(
  logFile: string,
  [command, ...args]: readonly [string, ...string[]],
  options: Pick<SpawnOptions, 'detached' | 'env'> = {},
): ChildProcess {
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, { ...options, stdio: ['ignore', log, log] });
  closeSync(log);
  return child.on('error', () => undefined);
}

/** Sends a signal to a process and waits for its end. It is killed if it does not end in time. */
export async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const guard = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs);
  await ended;
  clearTimeout(guard);
}
