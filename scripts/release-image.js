// `npm run release:image`: builds and pushes the image of one platform, or joins those of all. With
// --dry-run it prints the command.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { currentCommit } from './commit.js';
import { about } from './release/about.js';
import { buildArguments, joinArguments } from './release/image.js';
import { checkTag } from './release/options.js';

const usage =
  'Usage: npm run release:image -- (--platform linux/ARCH | --join linux/ARCH,...) (--tag vX.Y.Z | --dry-run)\n';

try {
  const { values } = parseArgs({
    options: {
      platform: { type: 'string' },
      join: { type: 'string' },
      tag: { type: 'string' },
      'dry-run': { type: 'boolean' },
    },
  });
  const { platform, join, tag } = values;
  const isDryRun = values['dry-run'] === true;
  const platforms = (platform ?? join ?? '').split(',');
  const isGood = platforms.every((one) => /^linux\/(amd64|arm64)$/.test(one));
  if (
    !isGood ||
    (platform === undefined) === (join === undefined) ||
    isDryRun === (tag !== undefined)
  ) {
    throw new Error(`expected a platform and a tag\n${usage}`);
  }
  const commit = currentCommit();
  if (tag !== undefined) checkTag(tag, about.version, commit);
  const created = new Date().toISOString();
  const options = { version: about.version, commit, created, about };
  const args =
    platform === undefined
      ? joinArguments(about.version, platforms)
      : buildArguments({ platform, ...options });
  if (isDryRun) {
    process.stdout.write(`${JSON.stringify(['docker', ...args])}\n`);
  } else {
    const { status, error } = spawnSync('docker', args, { stdio: 'inherit' });
    if (error) throw error;
    process.exitCode = status ?? 1;
  }
} catch (error) {
  process.stderr.write(`release:image: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
