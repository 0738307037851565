import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the storage of containers is kept between runs, apart from that of the user. */
export const cacheFolder = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'meshprobe',
  'image-test',
);

const storage = [`--root=${join(cacheFolder, 'storage')}`, `--runroot=${join(cacheFolder, 'run')}`];
const env = {
  ...process.env,
  // Neither a kernel module nor a container runtime is needed.
  STORAGE_DRIVER: 'vfs',
  BUILDAH_ISOLATION: 'chroot',
};

// What buildah gives to a container. `--cap-drop=ALL` would drop those too that are added beside it.
const defaultRights = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'SETGID',
  'SETUID',
  'SETPCAP',
  'NET_BIND_SERVICE',
  'SYS_CHROOT',
  'SETFCAP',
];
const withoutRights = defaultRights.map((name) => `--cap-drop=CAP_${name}`);

/**
 * Runs a command to its end.
 * @returns what it printed on stdout
 * @throws Error with its output if it failed
 */
export function run(command: string, args: readonly string[], cwd?: string): string {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...(cwd === undefined ? {} : { cwd }),
    env,
  });
  if (status === 0) return stdout;
  const why = error?.message ?? `exit code ${status ?? 'none'}`;
  throw new Error(`${command} ${args.join(' ')}: ${why}\n${stdout}${stderr}`);
}

/** @see run */
export function buildah(...args: string[]): string {
  return run('buildah', [...storage, ...args]).trim();
}

/** Starts `buildah run` without any right but those that the arguments add. */
export function startContainer(...args: string[]): ChildProcess {
  return spawn('buildah', [...storage, 'run', ...withoutRights, ...args], { env });
}

/** Whether a command is there, wherever root would find it. */
export function isThere(command: string): boolean {
  return (
    spawnSync('sh', ['-c', `PATH="$PATH:/usr/sbin:/sbin"; command -v ${command}`]).status === 0
  );
}
