import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { processesInCgroups } from './cgroups.js';
import type { ClusterNode } from './place.js';

/**
 * The process of the agent on a node.
 * @throws Error if there is none, or more than one
 */
export function agentProcess(node: ClusterNode): number {
  return only(node, (words) => !words.includes('responder'));
}

/**
 * The process of the endpoint on a node.
 * @throws Error if there is none, or more than one
 */
export function endpointProcess(node: ClusterNode): number {
  return only(node, (words) => words.includes('responder'));
}

/** The first of these files in the cgroups of a process. */
export function fileOfContainer(pid: number, ...names: readonly string[]): string {
  const lines = readFileSync(`/proc/${pid}/cgroup`, 'utf8').trim().split('\n');
  const top = '/sys/fs/cgroup';
  for (const line of lines) {
    const path = line.split(':').slice(2).join(':');
    for (const hierarchy of ['', ...readdirSync(top)]) {
      for (const name of names) {
        const file = join(top, hierarchy, path, name);
        if (existsSync(file)) return file;
      }
    }
  }
  throw new Error(`no ${names.join(' and no ')} in the cgroups of ${pid}`);
}

/**
 * Takes all the memory that the container of a process may have, so that the kernel ends that process. What takes it is in
 * the same cgroups, and ends with the container.
 */
export function takeMemory(pid: number): void {
  // Of all in the cgroup the kernel is to choose this one.
  writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  const members = join(
    dirname(fileOfContainer(pid, 'memory.limit_in_bytes', 'memory.max')),
    'cgroup.procs',
  );
  // It looks for the end of a line, which never comes, and keeps what it has read.
  const child = spawn('sh', ['-c', `echo $$ >'${members}' && exec tail /dev/zero`], {
    stdio: 'ignore',
  });
  child.unref();
}

function only({ name }: ClusterNode, isWanted: (words: readonly string[]) => boolean): number {
  const found = [...new Set(processesInCgroups(name))].filter((pid) => {
    const words = wordsOf(pid);
    return (
      words.some((word) => /meshprobe-agent$|dist\/agent\/main\.js$/.test(word)) && isWanted(words)
    );
  });
  const [pid] = found;
  if (pid !== undefined && found.length === 1) return pid;
  throw new Error(`expected one process on ${name}, got ${found.length}`);
}

function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
