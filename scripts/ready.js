import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { isBuilt, root } from './sources.js';

/**
 * Installs and builds what is missing or out of date. It prints one line for each step and nothing
 * else.
 * @param {{ write(text: string): unknown }} [output] where these lines go
 * @param {string} [commit] dist must have been built from this commit
 * @throws Error with the output of a step that failed
 */
export function ensureReady(output = process.stdout, commit) {
  ensureInstalled(output);
  if (!isBuilt(commit)) {
    step(output, 'building dist', process.execPath, [join(root, 'scripts', 'build.js')]);
  }
}

/**
 * Installs the packages where they are missing or out of date, and says so in a line.
 * @param {{ write(text: string): unknown }} [output] where this line goes
 * @throws Error with the output of npm if it failed
 */
export function ensureInstalled(output = process.stdout) {
  if (isInstalled()) return;
  step(output, 'installing the packages (npm ci)', 'npm', ['ci', '--no-audit', '--no-fund']);
}

/** npm writes a second lock file into node_modules when it has installed. */
function isInstalled() {
  const installed = statSync(join(root, 'node_modules', '.package-lock.json'), {
    throwIfNoEntry: false,
  });
  return (
    installed !== undefined &&
    installed.mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
  );
}

/**
 * @param {{ write(text: string): unknown }} output
 * @param {string} title @param {string} command @param {string[]} args
 */
function step(output, title, command, args) {
  output.write(`meshprobe: ${title}\n`);
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return;
  const why = error?.message ?? `exit code ${status}`;
  throw new Error(`${stdout}${stderr}meshprobe: ${title} failed: ${why}`);
}
