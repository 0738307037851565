// Runs before `npm pack` and `npm publish`: installs and builds what is missing. It prints nothing
// on standard output, where npm prints the package's name.
import process from 'node:process';
import { ensureReady } from './ready.js';

try {
  ensureReady(process.stderr);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
