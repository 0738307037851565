import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startCommand } from '../../../resources/program.js';

const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin'];

/** The path of a program; undefined where it is not installed. */
function programPath(name: string): string | undefined {
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
  const { child, output, ended } = startCommand(programPath(name) ?? name, args);
  const text = () => output.stdout + output.stderr;
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', () => ready.test(text()) && resolve());
    }
    ended.then(({ code }) => reject(new Error(`${name} ended with ${code}: ${text()}`)), reject);
  });
  return {
    output: text,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
