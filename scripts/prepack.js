// Before `npm pack` and `npm publish`: installs and builds what is missing. Standard output belongs to
// npm, which prints the name of the package there.
import process from 'node:process';
import { ensureReady } from './ready.js';

try {
  ensureReady(process.stderr);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
