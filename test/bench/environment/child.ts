import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { endProcess, spawnLogged } from '../../resources/logged-process.js';

/** The output of a finished command. */
interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that runs inside a namespace until it is stopped. */
export interface Service {
  readonly pid: number;
  /** Ends the process and waits until it is gone. Without a signal it is killed at once. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** A command that runs inside a namespace. */
export interface Command {
  readonly pid: number;
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Rejects with the command's error output if the command failed. */
  readonly output: Promise<Output>;
}

// `ip netns exec` replaces itself with the command, so the child process is the command.
const within = (namespace: string, command: readonly string[]): string[] => [
  'netns',
  'exec',
  namespace,
  ...command,
];

/**
 * Starts a command inside a namespace and keeps its output.
 * @param accepted exit codes and signals that are no failure
 */
export function startCommand(
  namespace: string,
  command: readonly string[],
  accepted: readonly (number | string)[] = [0],
): Command {
  const child = spawn('ip', within(namespace, command), { stdio: 'pipe' });
  child.stdin.on('error', () => undefined);
  // The streams are not iterated, because others may listen to them too.
  const written = { stdout: [] as string[], stderr: [] as string[] };
  child.stdout.setEncoding('utf8').on('data', (text: string) => written.stdout.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => written.stderr.push(text));
  const exit = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const finish = async (): Promise<Output> => {
    const code = await exit;
    const [stdout, stderr] = [written.stdout.join(''), written.stderr.join('')];
    if (accepted.includes(code)) return { stdout, stderr };
    const words = command.slice(0, 8).join(' ');
    throw new Error(`${words}: ended with ${code}\n${stderr.slice(-2000)}${stdout.slice(-2000)}`);
  };
  const output = finish();
  // Without this, a failure before the first await ends the bench. A later await still gets the
  // reason.
  output.catch(() => undefined);
  return { pid: child.pid ?? 0, child, output };
}

/** Starts a process inside a namespace. Its output goes to a file. */
export function startService(
  namespace: string,
  command: readonly string[],
  logFile: string,
): Service {
  const child = spawnLogged(logFile, ['ip', ...within(namespace, command)]);
  return { pid: child.pid ?? 0, stop: (signal = 'SIGKILL') => endProcess(child, signal) };
}

/** A program of the bench that answers until it is stopped. */
export interface Peer extends Service {
  /** What it reads. */
  readonly stdin: Writable;
}

/**
 * Starts a program of the bench inside a namespace, and resolves when it says that it answers.
 * @param what it is, in words
 */
export async function startPeer(
  namespace: string,
  [program, ...args]: readonly [string, ...(string | number)[]],
  what: string,
): Promise<Peer> {
  const command = [process.execPath, program, ...args.map(String)];
  const { pid, child, output } = startCommand(namespace, command, [0, 'SIGTERM']);
  const ended = output.then(({ stderr }) => {
    throw new Error(`${what} ended: ${stderr}`);
  });
  await Promise.race([once(child.stdout, 'data'), ended]);
  return {
    pid,
    stdin: child.stdin,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await output.catch(() => undefined);
    },
  };
}
