import { spawnSync } from 'node:child_process';
import { root } from '../sources.js';

/**
 * Runs a program in the repository to its end.
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {string} its standard output
 * @throws Error with what it said if it fails
 */
export function runProgram(program, args) {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  const why = error?.message ?? `exit code ${status}\n${stdout}${stderr}`;
  throw new Error(`${program} ${args[0] ?? ''}: ${why}`);
}
