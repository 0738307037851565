import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './command.js';

/** `ip netns exec` shows the files of its folders in place of those of `/etc` (man 8 ip-netns). */
export const namespaceFiles = '/etc/netns';
const ownName = /^mplab(\d+)-/;

/**
 * The prefix of the names of everything that a lab makes outside this process. It identifies the
 * run.
 */
export function labPrefix(): string {
  return `mplab${process.pid}-${randomBytes(2).toString('hex')}`;
}

/** The folder for the sockets, logs and nodes file of a lab. */
export function labFolder(prefix: string): string {
  return join(tmpdir(), prefix);
}

/** Removes the processes, namespaces and folders of runs that ended without cleaning up. */
export async function removeLeftovers(): Promise<void> {
  for (const name of (await listNamespaces()).filter(isOrphan)) {
    // Another run may remove the same namespace at this moment.
    await removeNamespaces([name]).catch(() => undefined);
  }
  for (const folder of [tmpdir(), namespaceFiles]) {
    // Without files of namespaces their folder is not there.
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter(isOrphan))
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Removes namespaces and kills the processes in them. */
export async function removeNamespaces(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const pids = (await run('ip', ['netns', 'pids', name])).split('\n').filter(Boolean);
    for (const pid of pids) kill(Number(pid));
  }
  await run('ip', ['-batch', '-'], names.map((name) => `netns del ${name}\n`).join(''));
}

/** Removes those of these namespaces that were made, the processes in them, and a folder. */
export async function removeMade(names: readonly string[], folder: string): Promise<void> {
  const made = new Set(await listNamespaces());
  await removeNamespaces(names.filter((name) => made.has(name)));
  await rm(folder, { recursive: true, force: true });
}

/** The names of all namespaces that `ip netns` knows. */
export async function listNamespaces(): Promise<string[]> {
  const output = await run('ip', ['netns', 'list']);
  return output.split('\n').flatMap((line) => line.split(' ')[0] || []);
}

function isOrphan(name: string): boolean {
  const pid = ownName.exec(name)?.[1];
  return pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
