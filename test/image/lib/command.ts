import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder of the container storage. It is kept between runs and is separate from the user's
 * storage.
 */
const cacheFolder = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'meshprobe',
  'image-test',
);

const storage = [`--root=${join(cacheFolder, 'storage')}`, `--runroot=${join(cacheFolder, 'run')}`];
const env = {
  ...process.env,
  // This storage driver needs no kernel module and no container runtime.
  STORAGE_DRIVER: 'vfs',
  BUILDAH_ISOLATION: 'chroot',
};

// The capabilities that buildah gives to a container by default. `--cap-drop=ALL` would also drop
// those that `--cap-add` adds.
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
 * Runs a command and waits for its end.
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

/** Starts `buildah run` without any capability, except those that the arguments add. */
export function startContainer(...args: string[]): ChildProcess {
  return spawn('buildah', [...storage, 'run', ...withoutRights, ...args], { env });
}

/** Whether root would find this command. */
export function isThere(command: string): boolean {
  return (
    spawnSync('sh', ['-c', `PATH="$PATH:/usr/sbin:/sbin"; command -v ${command}`]).status === 0
  );
}
