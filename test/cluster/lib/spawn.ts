import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnLogged } from '../../resources/logged-process.js';
import { stateFolder } from './place.js';

const logsFolder = join(stateFolder, 'logs');
const pidFile = (name: string) => join(logsFolder, `${name}.pid`);

/**
 * Starts a program that goes on when this process ends: whoever ends the cluster finds it by its namespace. Its
 * output goes to a file of this name.
 */
export function startProgram(
  name: string,
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): void {
  mkdirSync(logsFolder, { recursive: true });
  // What could not be started does not become ready either, and then the log is named.
  const child = spawnLogged(join(logsFolder, `${name}.log`), command, {
    detached: true,
    env: { ...process.env, ...env },
  });
  child.unref();
  // nsenter and unshare become the program, so its process id is this one.
  if (child.pid !== undefined) writeFileSync(pidFile(name), String(child.pid));
}

/** Sends a signal to a program that `startProgram` started under this name. SIGKILL is waited for. */
export async function signalProgram(name: string, signal: NodeJS.Signals): Promise<void> {
  const pid = Number(readFileSync(pidFile(name), 'utf8'));
  process.kill(pid, signal);
  if (signal === 'SIGKILL') await until(`${name} has ended`, 120_000, () => !isAlive(pid));
}

/** Whether a process is there that has not ended: one that nobody has waited for yet has. */
export function isAlive(pid: number): boolean {
  try {
    // The state is after the name, which is in parentheses (man 5 proc).
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Asks again and again until the answer is true.
 * @throws Error that names what was waited for
 */
export async function until(
  what: string,
  deadlineMs: number,
  ask: () => Promise<boolean> | boolean,
  everyMs = 250,
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await ask())) {
    if (performance.now() > deadline) {
      throw new Error(`not within ${deadlineMs / 1000} s: ${what}; the logs are in ${logsFolder}`);
    }
    await delay(everyMs);
  }
}
