// `npm run release`: makes every artifact of a release in a folder. It publishes nothing.
import { mkdirSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { currentCommit } from './commit.js';
import { makeArtifacts } from './release/artifacts.js';
import { checkTag, readOptions, usage } from './release/options.js';
import { about } from './release/about.js';

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(usage);
  } else {
    const { tag, isDryRun, imageDigest } = options;
    if (tag !== undefined) checkTag(tag, about.version, currentCommit());
    const folder = resolve(options.folder);
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length > 0) {
      throw new Error(`--out: expected an empty folder, got ${folder} with files in it`);
    }
    const leftOut = await makeArtifacts({ folder, isDryRun, imageDigest });
    for (const reason of leftOut) process.stdout.write(`left out: ${reason}\n`);
    if (!isDryRun && leftOut.length > 0) process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
