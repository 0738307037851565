import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { goTools, toolsFolder } from '../../../../scripts/go-tools.js';

type ToolName = keyof typeof goTools | 'kubectl' | 'prometheus' | 'promtool';

/**
 * The path of a program in PATH, or in the folder of `npm run tools`; undefined if there is none.
 */
export function findTool(name: ToolName): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), toolsFolder];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Why a program cannot run here; undefined if it can. */
export function whyNoTool(name: ToolName): string | undefined {
  if (findTool(name) !== undefined) return undefined;
  return name in goTools
    ? `no ${name} here: \`npm run tools\` builds it, where there is Go`
    : `no ${name} here`;
}

/** The output of a program and how it ended. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end.
 * @throws Error if the program does not exist
 */
export function runTool(name: ToolName, args: readonly string[], cwd?: string): Ran {
  const path = findTool(name);
  if (path === undefined) throw new Error(whyNoTool(name));
  return spawnSync(path, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...(cwd === undefined ? {} : { cwd }),
  });
}
