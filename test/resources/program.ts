import { spawn, type ChildProcessByStdio, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The built command line. */
export const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** How a program ended, and all that it said. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a program ends that says this on its standard output, and nothing on the other one. */
export const printed = (code: number, stdout: unknown) => ({ code, stdout, stderr: '' });

/** How a program ends that says this on its standard error, and prints nothing. */
export const refused = (code: number, stderr: unknown) => ({ code, stdout: '', stderr });

/** A program that runs. */
export interface Started {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** What it said so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<Ended>;
}

type Options = Pick<SpawnOptions, 'cwd' | 'env'>;

/** Starts a command, without standard input, and collects what it says. `ended` rejects if there is no such command. */
export function startCommand(
  command: string,
  args: readonly string[],
  options: Options = {},
): Started {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
  return { child, output, ended };
}

/** Runs a command to its end. It is a result too that it fails. */
export function runCommand(command: string, args: readonly string[]): Promise<Ended> {
  return startCommand(command, args).ended;
}

/** Starts a program for Node. */
export function startProgram(program: string, args: readonly string[], options?: Options): Started {
  return startCommand(process.execPath, [program, ...args], options);
}

/** Runs `meshprobe` to its end. */
export function runCli(args: readonly string[], options?: Options): Promise<Ended> {
  return startProgram(cli, args, options).ended;
}
