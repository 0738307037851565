import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isLetIn, type Stage } from './dockerfile.js';

/** Options of a container, in the words of Docker and Kubernetes. */
export interface ContainerOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: number;
  readonly capabilities: readonly string[];
  readonly readOnly: boolean;
  /** Whether the container gets its own network, which has only loopback. */
  readonly ownNetwork: boolean;
  /** Folders of the host, by their path in the container. */
  readonly mounts?: Readonly<Record<string, string>>;
}

/** The reason why images cannot be built here, or undefined. */
export function whyNot(): string | undefined {
  if (process.getuid?.() !== 0) return 'it takes root';
  const folder = mkdtempSync(join(tmpdir(), 'meshprobe-overlay-'));
  try {
    const layer = new Layer(folder);
    const tried = spawnSync('unshare', [
      '--mount',
      '--net',
      'sh',
      '-ec',
      layer.mounting('setpriv --version'),
    ]);
    return tried.status === 0 ? undefined : 'no overlay file systems, namespaces or setpriv here';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The files that one stage adds. This machine's own file system stands in for the base image. */
class Layer {
  readonly upper: string;
  readonly #work: string;
  readonly #root: string;

  constructor(folder: string) {
    [this.upper, this.#work, this.#root] = ['upper', 'work', 'root'].map((name) => {
      const path = join(folder, name);
      mkdirSync(path, { recursive: true });
      return path;
    }) as [string, string, string];
  }

  /** A shell script that runs a command in the image. It needs a mount namespace of its own. */
  mounting(
    command: string,
    mounts: Readonly<Record<string, string>> = {},
    readOnly = false,
  ): string {
    const root = this.#root;
    return [
      `mount --make-rprivate /`,
      `mount -t overlay overlay -o lowerdir=/,upperdir=${this.upper},workdir=${this.#work} ${root}`,
      `mount --rbind /proc ${root}/proc`,
      `mount --rbind /dev ${root}/dev`,
      ...Object.entries(mounts).map(
        ([at, from]) => `mkdir -p ${root}${at}; mount --bind ${from} ${root}${at}`,
      ),
      ...(readOnly ? [`mount -o remount,ro ${root}`] : []),
      `exec chroot ${root} ${command}`,
    ].join('\n');
  }
}

/**
 * An image that is built without a container engine. Its COPY and RUN instructions fill layers over
 * this machine's file system.
 */
export class Image {
  readonly #folder = mkdtempSync(join(tmpdir(), 'meshprobe-image-'));
  readonly #layers = new Map<string, Layer>();
  readonly #running: ChildProcess[] = [];
  #final: Layer | undefined;

  /** @throws Error with the output of an instruction that failed */
  build(stages: readonly Stage[], context: string, dockerignore: string): void {
    for (const stage of stages) {
      const layer = new Layer(join(this.#folder, stage.name));
      for (const step of stage.steps) {
        if (step.kind === 'run') run(layer, step.command, step.in);
        else this.#copy(layer, step, context, dockerignore);
      }
      this.#layers.set(stage.name, layer);
      this.#final = layer;
    }
  }

  /** The path on this machine of a file that the build has added. */
  path(inside: string): string {
    return join(this.#final?.upper ?? '', inside);
  }

  start(options: ContainerOptions): ChildProcess {
    const { command, env, user, capabilities, readOnly, ownNetwork, mounts } = options;
    const rights = ['-all', ...capabilities.map((name) => `+${name.toLowerCase()}`)].join(',');
    const confined = [
      ...['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--no-new-privs'],
      ...[`--bounding-set=${rights}`, '--inh-caps=-all', '--', ...command],
    ];
    const script = this.#final?.mounting(confined.map(quoted).join(' '), mounts, readOnly) ?? '';
    const child = spawn(
      'unshare',
      [
        ...['--mount', ...(ownNetwork ? ['--net'] : []), 'sh', '-ec'],
        `${ownNetwork ? 'ip link set lo up\n' : ''}${script}`,
      ],
      { env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...env } },
    );
    this.#running.push(child);
    return child;
  }

  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  #copy(
    layer: Layer,
    step: { from: string | undefined; sources: readonly string[]; to: string },
    context: string,
    dockerignore: string,
  ): void {
    for (const source of step.sources) {
      if (step.from === undefined && !isLetIn(source, dockerignore)) {
        throw new Error(`COPY ${source}: .dockerignore shuts it out`);
      }
      const from = join(
        step.from === undefined
          ? context
          : (this.#layers.get(step.from)?.upper ?? `no stage ${step.from}`),
        source,
      );
      if (!existsSync(from)) throw new Error(`COPY ${source}: there is no such file`);
      const to = step.to.endsWith('/') ? join(step.to, basename(source)) : step.to;
      mkdirSync(dirname(join(layer.upper, to)), { recursive: true });
      cpSync(from, join(layer.upper, to), { recursive: true, verbatimSymlinks: true });
    }
  }
}

function run(layer: Layer, command: string, workdir: string): void {
  const script = layer.mounting(`sh -ec ${quoted(`cd ${workdir}; ${command}`)}`);
  const { status, stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-ec', script], {
    encoding: 'utf8',
    // npm does not download packages that are in its cache.
    env: { ...process.env, npm_config_prefer_offline: 'true' },
  });
  if (status !== 0) throw new Error(`RUN ${command}: exit code ${status}\n${stdout}${stderr}`);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
