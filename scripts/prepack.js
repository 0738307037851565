// Runs before `npm pack` and `npm publish`: installs and builds what is missing, so that the programs
// say the commit that is packed. It prints nothing on standard output, where npm prints the name.
import process from 'node:process';
import { currentCommit } from './commit.js';
import { ensureReady } from './ready.js';

try {
  ensureReady(process.stderr, currentCommit());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
