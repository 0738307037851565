import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { codeOf, messageOf } from '../../platform/errors.js';
import { escapeControls, formatValue } from '../../platform/format-value.js';
import { listOf, mappingOf, textOf, timeOf } from '../object-fields.js';

/** The credentials from a plugin. */
export interface ExecCredential {
  readonly token: string | undefined;
  /** PEM. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** Epoch milliseconds; undefined: until the server refuses it. */
  readonly expiresAt: number | undefined;
}

export interface ExecPluginOptions {
  /** The user's `exec` entry in the kubeconfig. */
  readonly exec: Readonly<Record<string, unknown>>;
  /** What `provideClusterInfo` asks to be told; undefined where it does not ask. */
  readonly cluster?: object | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** Shorter than the deadline of an API request, so that this error is the one that is shown. */
const deadlineMs = 20_000;
const maxOutputBytes = 1 << 20;

/**
 * Runs credential plugins of kubeconfigs (`client.authentication.k8s.io`), one at a time. It keeps
 * the credentials until they expire or are forgotten.
 */
export class ExecPlugin {
  readonly #deadlineMs: number;
  #running: { readonly result: Promise<ExecCredential>; readonly end: () => void } | undefined;
  #kept: ExecCredential | undefined;

  constructor(options: { readonly deadlineMs?: number } = {}) {
    this.#deadlineMs = options.deadlineMs ?? deadlineMs;
  }

  /** @throws Error that names the plugin and says why it gave nothing */
  credential(options: ExecPluginOptions): Promise<ExecCredential> {
    const kept = this.#kept;
    if (kept && (kept.expiresAt ?? Infinity) > Date.now()) return Promise.resolve(kept);
    this.#running ??= this.#run(options);
    return this.#running.result;
  }

  /** The server refused the credentials, so the plugin is run again next time. */
  forget(): void {
    this.#kept = undefined;
  }

  /** Ends a plugin that still runs. */
  close(): void {
    this.#running?.end();
  }

  #run(options: ExecPluginOptions): { result: Promise<ExecCredential>; end: () => void } {
    const { result, end } = runPlugin(options, this.#deadlineMs);
    return {
      result: result
        .then((output) => (this.#kept = readCredential(output)))
        .catch((error: unknown) => {
          const name = formatValue(textOf(options.exec['command']));
          throw new Error(`credential plugin ${name} ${messageOf(error)}`, { cause: error });
        })
        .finally(() => (this.#running = undefined)),
      end,
    };
  }
}

/** Standard output of one run; every reason it is rejected with reads on from the plugin's name. */
function runPlugin(options: ExecPluginOptions, ms: number) {
  const { exec } = options;
  const command = textOf(exec['command']);
  const isRefused = command === '' || exec['interactiveMode'] === 'Always';
  if (isRefused) {
    const why = command === '' ? 'has no command' : 'needs a terminal (interactiveMode: Always)';
    return { result: Promise.reject(new Error(why)), end: () => undefined };
  }
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended: string | undefined;
  const end = (why: string): void => {
    ended ??= why;
    try {
      if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    // A process that left the group may still hold them open.
    child?.stdout?.destroy();
    child?.stderr?.destroy();
  };
  const result = new Promise<string>((resolve, reject) => {
    child = startPlugin(command, options);
    timer = setTimeout(() => end(`gave nothing within ${ms / 1000} s and was ended`), ms);
    child.on('error', (error) => reject(cannotRun(error, exec)));
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    function collect(stream: Readable | null | undefined): () => string {
      const parts: Buffer[] = [];
      let bytes = 0;
      // Where no more files may be open Node makes no streams, and `error` follows.
      stream?.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > maxOutputBytes) end(`wrote more than ${maxOutputBytes} bytes and was ended`);
        else parts.push(part);
      });
      return () => Buffer.concat(parts).toString();
    }
    child.once('close', (code, signal) => {
      if (ended === undefined && code === 0) {
        resolve(stdout());
        return;
      }
      const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
      const said = stderr().trim().split('\n').at(-1)?.trim() ?? '';
      reject(new Error(`${ended ?? how}${said && `: ${escapeControls(said, 200)}`}`));
    });
  }).finally(() => clearTimeout(timer));
  return { result, end: () => end('was ended with the agent') };
}

/** @throws Error that reads on from the plugin's name, where the system refuses at once */
function startPlugin(command: string, { exec, cluster, environment }: ExecPluginOptions) {
  const args = listOf(exec['args']).map(textOf);
  try {
    // A process group of its own: what the plugin started goes with it.
    return spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...environment, ...variables(exec), KUBERNETES_EXEC_INFO: execInfo(exec, cluster) },
    }) as ChildProcess;
  } catch (error) {
    throw cannotRun(error, exec);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};

function cannotRun(error: unknown, exec: ExecPluginOptions['exec']): Error {
  const hint = textOf(exec['installHint']);
  const why = reasons[codeOf(error) ?? ''] ?? messageOf(error);
  const help = hint && ` (${escapeControls(hint, 200)})`;
  return new Error(`could not be run: ${why}${help}`, { cause: error });
}

function variables(exec: ExecPluginOptions['exec']): NodeJS.ProcessEnv {
  const pairs = listOf(exec['env']).map((item): [string, string] => {
    const { name, value } = mappingOf(item);
    return [textOf(name), textOf(value)];
  });
  return Object.fromEntries(pairs.filter(([name]) => name !== ''));
}

function execInfo(exec: ExecPluginOptions['exec'], cluster: object | undefined): string {
  return JSON.stringify({
    apiVersion: textOf(exec['apiVersion']),
    kind: 'ExecCredential',
    spec: { interactive: false, ...(cluster && { cluster }) },
  });
}

function readCredential(output: string): ExecCredential {
  const status = mappingOf(mappingOf(parse(output))['status']);
  const field = (name: string) => textOf(status[name]) || undefined;
  const credential = {
    token: field('token'),
    cert: field('clientCertificateData'),
    key: field('clientKeyData'),
    expiresAt: timeOf(status['expirationTimestamp']),
  };
  if (credential.token === undefined && (credential.cert ?? credential.key) === undefined) {
    throw new Error('gave neither a token nor a client certificate');
  }
  return credential;
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output) as unknown;
  } catch {
    // It may hold a secret, so none of it is shown.
    throw new Error(`gave no JSON (${output.length} characters)`);
  }
}
