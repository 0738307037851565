import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cgroupName } from './place.js';

const top = '/sys/fs/cgroup';
const isUnified = existsSync(join(top, 'cgroup.controllers'));

/** Makes a node's cgroup in every hierarchy: a kubelet that shares one with another ends that one's pods. */
export function makeCgroups(nodeName: string): void {
  for (const hierarchy of hierarchies()) {
    const ours = join(hierarchy, cgroupName);
    const node = join(ours, nodeName);
    mkdirSync(node, { recursive: true });
    if (isUnified) passOnControllers([hierarchy, ours]);
    for (const [file, weight] of [
      ['cpu.shares', 8 * 1024],
      ['cpu.weight', 8 * 100],
    ] as const) {
      // Else all pods together had as much of a busy machine as one process.
      if (existsSync(join(ours, file))) writeFileSync(join(ours, file), String(weight));
    }
    if (!existsSync(join(hierarchy, 'cpuset.cpus')) || isUnified) continue;
    // A new cpuset of version 1 has no processor and no memory, and takes no process.
    for (const name of ['cpuset.cpus', 'cpuset.mems']) {
      const all = readFileSync(join(hierarchy, name));
      for (const folder of [ours, node]) writeFileSync(join(folder, name), all);
    }
  }
}

/** The processes in a node's cgroups, or in those of all nodes. */
export function processesInCgroups(nodeName = ''): number[] {
  return cgroups(nodeName).flatMap((folder) =>
    readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number),
  );
}

/**
 * Removes the cgroups of a node, or of all nodes.
 * @returns how many could not be removed, since their processes have not ended yet
 */
export function removeCgroups(nodeName = ''): number {
  let left = 0;
  for (const folder of cgroups(nodeName)) {
    try {
      rmdirSync(folder);
    } catch {
      left++;
    }
  }
  return left;
}

/** The deepest first. */
function cgroups(nodeName: string): string[] {
  const below = (folder: string): string[] =>
    existsSync(folder)
      ? [
          ...readdirSync(folder, { withFileTypes: true })
            .filter((entry) => entry.isDirectory())
            .flatMap(({ name }) => below(join(folder, name))),
          folder,
        ]
      : [];
  // Programs make the same ones in the hierarchy without controllers, beside those of version 1.
  return [...hierarchies(), join(top, 'unified')].flatMap((hierarchy) =>
    below(join(hierarchy, cgroupName, nodeName)),
  );
}

/** One for each controller; one for all in version 2. */
function hierarchies(): string[] {
  if (isUnified) return [top];
  return readdirSync(top)
    .filter((name) => name !== 'unified')
    .map((name) => join(top, name))
    .filter((folder) => lstatSync(folder).isDirectory());
}

function passOnControllers(folders: readonly string[]): void {
  for (const folder of folders) {
    for (const name of ['cpu', 'cpuset', 'memory', 'pids', 'io']) {
      try {
        writeFileSync(join(folder, 'cgroup.subtree_control'), `+${name}`);
      } catch {
        // This machine does not have that controller; the kubelet says so if it needs it.
      }
    }
  }
}
