import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';

const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin'];

/** The path of a program; undefined where it is not installed. */
export function programPath(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Why tests that need the programs are skipped; undefined where all are there. */
export function missingPrograms(...names: readonly string[]): string | undefined {
  const missing = names.filter((name) => programPath(name) === undefined);
  return missing.length === 0 ? undefined : `not installed here: ${missing.join(', ')}`;
}

/** A program that runs, and what it wrote. */
export interface RunningProgram {
  output(): string;
  stop(): Promise<void>;
}

/** Starts a program and waits until it has written that it is ready. */
export async function startProgram(
  name: string,
  args: readonly string[],
  ready: RegExp,
): Promise<RunningProgram> {
  const child: ChildProcess = spawn(programPath(name) ?? name, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const exited = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: string): void => {
      text += chunk;
      if (ready.test(text)) resolve();
    };
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${text}`)));
  });
  return {
    output: () => text,
    async stop() {
      child.kill();
      await exited;
    },
  };
}
