import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The agent of an older commit, built by its own script with the packages that are here. */
export interface OldAgent {
  readonly program: string;
  remove(): void;
}

/** Whether this checkout has the commit: a shallow clone and the package have not. */
export function isInHistory(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Builds the agent of a commit in a temporary folder. */
export function buildOldAgent(commit: string): OldAgent {
  const folder = mkdtempSync(join(tmpdir(), 'meshprobe-old-'));
  const source = join(folder, 'src');
  mkdirSync(source);
  const archive = execFileSync('git', ['archive', commit], {
    cwd: root,
    maxBuffer: 256 * 1024 * 1024,
  });
  execFileSync('tar', ['-x', '-C', source], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.js'], { cwd: source });
  return {
    program: join(source, 'dist/agent/main.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
