import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import process from 'node:process';
import { root } from './sources.js';

/**
 * The commit that is built: MESHPROBE_COMMIT where the build has no checkout (an image), else the one of
 * git, with `-dirty` where sources were changed since; `unknown` where there is no git checkout.
 */
export function currentCommit() {
  const given = process.env['MESHPROBE_COMMIT'];
  if (given) return given;
  // A checkout of something else may be around this folder.
  const top = git('rev-parse', '--show-toplevel');
  const isCheckout = top !== undefined && realpathSync(top) === realpathSync(root);
  const commit = isCheckout ? git('rev-parse', '--short=12', 'HEAD') : undefined;
  if (commit === undefined) return 'unknown';
  return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}-dirty`;
}

/**
 * The output of git; undefined if it fails or is not there.
 * @param {readonly string[]} args
 */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
