import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProcessFigures } from './processes.js';

/** The environment with which agents tell what keeps their event loop alive. */
export function environmentOf(folder: string, program: string): Readonly<Record<string, string>> {
  const given = process.env['NODE_OPTIONS'];
  const load = `--import=${pathToFileURL(program).href}`;
  return { SOAK_FOLDER: folder, NODE_OPTIONS: given === undefined ? load : `${given} ${load}` };
}

/**
 * What an agent told when it was asked last, which is one sample ago, and asks it again. A frozen
 * agent answers later.
 * @param isRunning whether the agent was not told to end. One that ends has no handler of the signal.
 */
export async function askHandles(
  folder: string,
  pid: number,
  isRunning: () => boolean,
): Promise<ProcessFigures> {
  const path = join(folder, `handles-${pid}.json`);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  // Without the file the agent does not handle the signal yet, and the signal would end it.
  if (text === undefined) return {};
  try {
    if (isRunning()) process.kill(pid, 'SIGUSR2');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  return JSON.parse(text) as ProcessFigures;
}
